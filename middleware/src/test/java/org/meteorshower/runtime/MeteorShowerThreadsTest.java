/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.driver.StoppedException;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Recovery;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.SequentialReads;
import org.meteorshower.protocol.Settings;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.journal.JournalOptions;
import org.meteorshower.runtime.journal.MappedJournal;
import org.meteorshower.runtime.journal.SyncPolicy;

/** What several threads may rely on. The peer never says a word, so whoever waits, waits for ever. */
@Tag("threads")
class MeteorShowerThreadsTest {
    private static final NodeId SELF = NodeId.of(1);
    private static final NodeId PEER = NodeId.of(2);
    private static final int THREADS = 4;
    private static final JournalOptions SMALL = new JournalOptions(64 << 10, 64L << 20, SyncPolicy.batch(1));

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @TempDir
    private Path folder;

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    @Test
    void afterStopEveryWaitingCallerGetsStopped() throws Exception {
        MappedJournal journal = MappedJournal.open(folder, Write.CODEC, SMALL);
        MeteorShower node = node(journal);
        List<Future<?>> waiting = new ArrayList<>();
        Set<Thread> waiters = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < 2 * THREADS; i++) {
            boolean reads = i % 2 == 0;
            long deadlineNanos = System.nanoTime() + 60_000_000_000L;
            Callable<Object> wait = reads
                    ? () -> node.read(
                            Write.KEY,
                            ReplicaGroup.majority(SELF, PEER),
                            Update.ANY_ROW,
                            0,
                            ReadMode.STRICT,
                            deadlineNanos,
                            (cut, overlay) -> "never read")
                    : () -> {
                        try (var ticket = node.beginWrite(List.of(Write.KEY), 0, false, Long.MAX_VALUE)) {
                            return ticket.awaitDone(deadlineNanos);
                        }
                    };
            waiting.add(threads.submit(() -> {
                waiters.add(Thread.currentThread());
                return wait.call();
            }));
        }
        while (waiters.size() < waiting.size()
                || !waiters.stream().allMatch(each -> each.getState() == Thread.State.TIMED_WAITING)) {
            assertThat(waiting).as("nobody gives an answer").noneMatch(Future::isDone);
            Thread.sleep(5);
        }
        assertThat(waiting).noneMatch(Future::isDone);

        journal.close();
        assertThatThrownBy(() -> node.beforeApply(new Write(1, 1))).isInstanceOf(StoppedException.class);

        // So does whoever comes later.
        assertThatThrownBy(() -> node.read(
                        Write.keyOf(1),
                        ReplicaGroup.majority(SELF, PEER),
                        Update.ANY_ROW,
                        0,
                        ReadMode.STRICT,
                        System.nanoTime(),
                        (cut, overlay) -> "never read"))
                .isInstanceOf(StoppedException.class);

        for (Future<?> each : waiting) {
            assertThatThrownBy(() -> each.get(30, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(StoppedException.class);
        }
    }

    @Test
    void aStampThatWasReturnedIsInTheJournalAfterReopening() throws Exception {
        Set<Long> stamped = ConcurrentHashMap.newKeySet();
        try (MappedJournal journal = MappedJournal.open(folder, Write.CODEC, SMALL)) {
            MeteorShower node = node(journal);
            List<Future<?>> stamping = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread;
                stamping.add(threads.submit(() -> {
                    for (long n = first; n < 4_000; n += THREADS) {
                        Write write = new Write(1_000_000 + n, n % 997);
                        if (node.beforeApply(write)) {
                            stamped.add(write.timestampMicros());
                            node.afterApply(write.key(), write.id(), null, Event.Acknowledging.NO_RECEIPT);
                        }
                        node.tick();
                    }
                    return null;
                }));
            }
            for (Future<?> each : stamping) {
                each.get(120, TimeUnit.SECONDS);
            }
        }
        assertThat(stamped).hasSize(4_000);
        Set<Long> found = new HashSet<>();
        try (MappedJournal journal = MappedJournal.open(folder, Write.CODEC, SMALL)) {
            journal.contents().updates().forEach(each -> found.add(((Write) each.update()).timestampMicros()));
        }
        assertThat(found).isEqualTo(stamped);
    }

    /**
     * Alone, a node need not wait for others: a write is done when it is applied, a strict read when its time has come.
     */
    @Test
    void eachWaitingCallerGetsItsOwnAnswer() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        try (MappedJournal journal = MappedJournal.open(folder, Write.CODEC, SMALL)) {
            MeteorShower node = started(journal, ReplicaGroup.majority(SELF));
            node.peersChanged(Set.of());
            node.tableEnabled(Write.TABLE, true);
            Future<?> ticking = threads.submit(() -> {
                while (!ended.get()) {
                    node.tick();
                    Thread.sleep(1);
                }
                return null;
            });
            List<Future<?>> asking = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                long key = thread % 2; // two threads each
                asking.add(threads.submit(() -> {
                    long tokenMicros = 0;
                    for (int n = 0; n < 150; n++) {
                        tokenMicros = written(node, key, tokenMicros);
                        var read = node.read(
                                Write.keyOf(key),
                                ReplicaGroup.majority(SELF),
                                Update.ANY_ROW,
                                tokenMicros,
                                ReadMode.STRICT,
                                soon(),
                                (cut, rows) -> cut);
                        assertThat(read.value()).isGreaterThanOrEqualTo(tokenMicros);
                        assertThat(read.value()).isEqualTo(read.info().cutMicros());
                        for (int fast = 0; fast < 100; fast++) {
                            read = node.read(
                                    Write.keyOf(key),
                                    ReplicaGroup.majority(SELF),
                                    Update.ANY_ROW,
                                    tokenMicros,
                                    ReadMode.SEQUENTIAL,
                                    soon(),
                                    (cut, rows) -> cut);
                            assertThat(read.value()).isEqualTo(read.info().cutMicros());
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> each : asking) {
                each.get(120, TimeUnit.SECONDS);
            }
            ended.set(true);
            ticking.get(30, TimeUnit.SECONDS);
        } finally {
            ended.set(true);
        }
    }

    /**
     * Reads of a partition at rest take no step, and so look at what another thread is changing. Each must say what the
     * row was at its cut: no write less, and none more.
     */
    @Test
    @SuppressWarnings("ThreadPriorityCheck") // it yields so that threads meet more often, and relies on nothing
    void aReadSaysWhatTheRowWasAtItsCut() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        AtomicLong row = new AtomicLong();
        TreeMap<Long, Long> written = new TreeMap<>(Map.of(0L, 0L)); // by the cut from which on it is seen
        List<Future<List<long[]>>> reading = new ArrayList<>();
        try (MappedJournal journal = MappedJournal.open(folder, Write.CODEC, SMALL)) {
            MeteorShower node = started(journal, ReplicaGroup.majority(SELF));
            node.peersChanged(Set.of());
            node.tableEnabled(Write.TABLE, true);
            for (int thread = 0; thread < THREADS; thread++) {
                reading.add(threads.submit(() -> {
                    List<long[]> read = new ArrayList<>();
                    while (!ended.get()) {
                        var outcome = node.read(
                                Write.keyOf(1),
                                ReplicaGroup.majority(SELF),
                                Update.ANY_ROW,
                                0,
                                ReadMode.SEQUENTIAL,
                                soon(),
                                (cut, overlay) -> {
                                    Thread.yield();
                                    return row.get();
                                });
                        read.add(new long[] {outcome.info().cutMicros(), outcome.value()});
                        Thread.yield();
                    }
                    return read;
                }));
            }
            for (int n = 0; n < 200; n++) {
                try (var ticket = node.beginWrite(List.of(Write.keyOf(1)), 0, false, Long.MAX_VALUE)) {
                    Write write = new Write(ticket.timestampMicros(), 1);
                    assertThat(node.beforeApply(write)).isTrue();
                    Thread.yield();
                    row.set(write.timestampMicros());
                    node.afterApply(write.key(), write.id(), null, Event.Acknowledging.NO_RECEIPT);
                    written.put(ticket.awaitDone(soon()), write.timestampMicros());
                }
                for (int tick = 0; tick < n % 30; tick++) {
                    node.tick();
                    Thread.sleep(1);
                }
            }
        } finally {
            ended.set(true);
        }
        for (Future<List<long[]>> each : reading) {
            for (long[] read : each.get(60, TimeUnit.SECONDS)) {
                assertThat(read[1])
                        .as("at cut %s", read[0])
                        .isEqualTo(written.floorEntry(read[0]).getValue());
            }
        }
    }

    /** The token of a write that another thread applies. */
    private long written(MeteorShower node, long key, long tokenMicros) throws Exception {
        try (var ticket = node.beginWrite(List.of(Write.keyOf(key)), tokenMicros, false, Long.MAX_VALUE)) {
            Write write = new Write(ticket.timestampMicros(), key);
            Future<?> applying = threads.submit(() -> {
                if (node.beforeApply(write)) {
                    node.afterApply(write.key(), write.id(), null, Event.Acknowledging.NO_RECEIPT);
                }
                return null;
            });
            long doneMicros = ticket.awaitDone(soon());
            assertThat(doneMicros).isGreaterThanOrEqualTo(ticket.timestampMicros());
            applying.get(30, TimeUnit.SECONDS);
            return doneMicros;
        }
    }

    private static long soon() {
        return System.nanoTime() + 30_000_000_000L;
    }

    private static MeteorShower node(Journal journal) {
        MeteorShower node = started(journal, ReplicaGroup.majority(SELF, PEER));
        node.peersChanged(Set.of(PEER));
        node.tableEnabled(Write.TABLE, true);
        node.received(
                PEER,
                new Message.Tables(
                        1,
                        1,
                        0,
                        0,
                        List.of(new Message.TableReport(Write.TABLE, 1, true, false, true, false, 0, false))));
        return node;
    }

    private static MeteorShower started(Journal journal, ReplicaGroup group) {
        return new MeteorShower(
                new SequentialReads(SELF, Settings.DEFAULTS, key -> group, Recovery.none(1)),
                Clock.system(),
                journal,
                new Silence(),
                new EmptyStore(),
                alarm -> {});
    }
}
