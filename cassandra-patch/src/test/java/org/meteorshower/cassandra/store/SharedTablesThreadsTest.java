/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.NodeId;

/** What the threads of the write path share. */
@Tag("threads")
class SharedTablesThreadsTest {
    private static final int THREADS = 4;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void aTableThatWasBegunIsTrackedUntilItIsEndedWhateverOthersDo() throws Exception {
        assertThat(TestTables.PAIRS).isNotNull(); // Cassandra is set up
        TrackedTables tables = new TrackedTables();
        run(thread -> () -> {
            TableId table = TableId.fromUUID(new UUID(9, thread));
            for (int n = 0; n < 10_000; n++) {
                TrackedTables.Tracking tracking = tables.begin(table, new UUID(n, thread));
                if (tables.of(table) != tracking || tables.none()) {
                    throw new AssertionError("round " + n + ": the table is not tracked");
                }
                tables.end(table);
                if (tables.of(table) != null || !tracking.awaitLive(0)) {
                    throw new AssertionError("round " + n + ": the table is still tracked, or its writers still wait");
                }
            }
            return null;
        });
        assertThat(tables.none()).isTrue();
    }

    @Test
    void aWriteThatWaitsForATableGoesOnWhenTheTableIsLiveOrEnded() throws Exception {
        assertThat(TestTables.PAIRS).isNotNull();
        TrackedTables tables = new TrackedTables();
        TableId table = TableId.fromUUID(new UUID(9, 9));
        for (int round = 0; round < 200; round++) {
            TrackedTables.Tracking tracking = tables.begin(table, new UUID(1, round));
            List<Future<Boolean>> waiting = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                waiting.add(threads.submit(() -> tracking.awaitLive(30_000_000_000L)));
            }
            if (round % 2 == 0) {
                tracking.goLive();
            } else {
                tables.end(table);
            }
            for (Future<Boolean> each : waiting) {
                assertThat(each.get(30, TimeUnit.SECONDS)).isTrue();
            }
        }
    }

    /** Cassandra's barrier does not know of it yet: it is announced before its own write begins. */
    @Test
    void theNextNameWaitsForWhatWasAnnouncedByTheOneBefore() throws Exception {
        assertThat(TestTables.PAIRS).isNotNull();
        TrackedTables tables = new TrackedTables();
        TableId table = TableId.fromUUID(new UUID(9, 9));
        TrackedTables.Tracking before = tables.begin(table, new UUID(1, 1));
        before.goLive();
        int announced = before.begin();
        TrackedTables.Tracking next = tables.begin(table, new UUID(1, 2));
        int late = before.begin(); // it looks which name is the present one only after this
        Future<?> waiting = threads.submit(next::awaitEarlier);
        assertThatThrownBy(() -> waiting.get(50, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);

        before.end(late);
        assertThatThrownBy(() -> waiting.get(50, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        before.end(announced);
        waiting.get(30, TimeUnit.SECONDS);
    }

    @Test
    void aThreadThatOnlyReadsSeesATableThatIsBegun() throws Exception {
        assertThat(TestTables.PAIRS).isNotNull();
        TrackedTables tables = new TrackedTables();
        Future<?> reader = threads.submit(() -> {
            // Nothing here makes the thread look again but the field's being volatile.
            while (tables.none()) {}
        });
        Thread.sleep(300); // until the loop is compiled
        tables.begin(TableId.fromUUID(new UUID(9, 9)), new UUID(1, 1));
        reader.get(30, TimeUnit.SECONDS);
    }

    @Test
    void theCoordinatorOfAMutationIsToldOnceAndIsItsOwn() throws Exception {
        Coordinators coordinators = new Coordinators();
        Mutation[] mutations = new Mutation[20_000];
        for (int i = 0; i < mutations.length; i++) {
            // All equal: they must be told apart by what they are, not by what they hold.
            mutations[i] = new Mutation(PartitionUpdate.simpleBuilder(TestTables.PAIRS, "key")
                    .timestamp(1)
                    .nowInSec(1)
                    .build());
        }
        AtomicInteger told = new AtomicInteger();
        run(thread -> () -> {
            // Two threads report arrivals, two take; each mutation is looked for by both takers.
            for (int i = thread % 2; i < mutations.length; i += thread < 2 ? 2 : 1) {
                if (thread < 2) {
                    coordinators.arrived(mutations[i], waiting(i));
                    continue;
                }
                Coordinators.Waiting waiting = coordinators.takeOf(mutations[i]);
                if (waiting != null) {
                    told.incrementAndGet();
                    if (!waiting.equals(waiting(i))) {
                        throw new AssertionError("mutation " + i + " is taken for that of " + waiting);
                    }
                }
            }
            return null;
        });
        for (Mutation mutation : mutations) {
            if (coordinators.takeOf(mutation) != null) {
                told.incrementAndGet();
            }
        }
        assertThat(told).hasValue(mutations.length);
    }

    private static Coordinators.Waiting waiting(int number) {
        return new Coordinators.Waiting(
                NodeId.of(number),
                InetAddressAndPort.getByAddress(InetAddress.getLoopbackAddress()),
                number + 1,
                number);
    }

    private interface Work {
        Callable<Object> of(int thread);
    }

    private void run(Work work) throws Exception {
        List<Future<Object>> running = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++) {
            running.add(threads.submit(work.of(thread)));
        }
        for (Future<Object> each : running) {
            each.get(120, TimeUnit.SECONDS);
        }
    }
}
