/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.SinglePartitionReadCommand;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.exceptions.UnavailableException;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.cassandra.tables.LiveTables;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.PlainReads;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.Served;
import org.meteorshower.runtime.RequestRefusedException;

class FillingFetchTest {
    private final SinglePartitionReadCommand command = SinglePartitionReadCommand.fullPartitionRead(
            TestTables.PAIRS, 0, TestTables.PAIRS.partitioner.decorateKey(UTF8Type.instance.decompose("a")));
    private final LocatedRead read = new LocatedRead(
            command, new PartitionKey(new UUID(1, 2), new byte[] {7}), ReplicaGroup.majority(NodeId.of(1)));

    /** What the hybrid clock says at each look, 0 where the table is not read plainly, less where it never is. */
    private final Deque<Long> looks = new ArrayDeque<>();

    private PlainReads reads = PlainReads.AT_QUORUM;

    /** Whether a replica is down. */
    private boolean someDown;

    private boolean earlier;

    /** By Cassandra's ring, as it is looked at; where nothing is said it is the table's. */
    private final Deque<Boolean> isByItsRing = new ArrayDeque<>();

    private final List<String> asked = new ArrayList<>();

    private FetchedPartition fetch(ReadMode mode) throws Exception {
        return fetch(recording("here", 90)).fetch(read, new ReadTerms(0, mode, 0));
    }

    private FillingFetch fetch(LocatedFetch here) {
        return new FillingFetch(
                table -> look(looks.removeFirst()),
                (table, deadlineNanos) -> !earlier,
                (table, name) -> isByItsRing.isEmpty() || isByItsRing.removeFirst(),
                recording("cassandra", 70),
                (located, terms) -> {
                    FetchedPartition fetched = recording("all", 75).fetch(located, terms);
                    if (someDown) {
                        throw UnavailableException.create(ConsistencyLevel.ALL, 3, 2);
                    }
                    return fetched;
                },
                here);
    }

    private LiveTables.Plain look(long micros) {
        return micros > 0 ? new LiveTables.Plain(reads, micros) : micros == 0 ? LiveTables.NOT_YET : LiveTables.NEVER;
    }

    private LocatedFetch recording(String name, long cutMicros) {
        return (located, terms) -> {
            asked.add(name);
            return new FetchedPartition(null, new ReadInfo(cutMicros, Served.LOCAL, 0));
        };
    }

    @Test
    void aTableThatIsFilledIsReadPlainlyAsOfTheClockAtTheEnd() throws Exception {
        looks.addAll(List.of(50L, 60L));
        assertThat(fetch(ReadMode.SEQUENTIAL).info()).isEqualTo(new ReadInfo(70, Served.PLAIN, 0));

        looks.addAll(List.of(80L, 85L));
        assertThat(fetch(ReadMode.SEQUENTIAL).info()).isEqualTo(new ReadInfo(85, Served.PLAIN, 0));
        assertThat(asked).containsExactly("cassandra", "cassandra");
    }

    @Test
    void whereAMajorityMayNotShowAllThatWasVisibleAllReplicasAreRead() throws Exception {
        reads = PlainReads.AT_ALL;
        looks.addAll(List.of(50L, 60L));
        assertThat(fetch(ReadMode.SEQUENTIAL).info()).isEqualTo(new ReadInfo(75, Served.PLAIN, 0));
        assertThat(asked).containsExactly("all");
    }

    @Test
    void whereOneOfThemIsDownTheReadWaitsForAMajorityToBeEnough() throws Exception {
        reads = PlainReads.AT_ALL;
        someDown = true;
        looks.addAll(List.of(50L, 55L, 60L, 65L));
        FillingFetch fetch = fetch((located, terms) -> {
            asked.add("here");
            reads = PlainReads.AT_QUORUM;
            throw new RequestRefusedException(Failure.TIMED_OUT, "the table is not served yet");
        });
        ReadTerms terms = new ReadTerms(0, ReadMode.SEQUENTIAL, System.nanoTime() + TimeUnit.SECONDS.toNanos(60));
        assertThat(fetch.fetch(read, terms).info().cutMicros()).isEqualTo(70);
        assertThat(asked).containsExactly("all", "here", "cassandra");
    }

    @Test
    void anyOtherIsReadHere() throws Exception {
        looks.add(0L);
        assertThat(fetch(ReadMode.SEQUENTIAL).info().served()).isEqualTo(Served.LOCAL);
        assertThat(asked).containsExactly("here");
    }

    /** It asks others for their status when it has waited for long enough, which it would not if it began anew. */
    @Test
    void oneOfATableThatIsNotFilledWaitsWithoutASecondLook() throws Exception {
        looks.add(-1L);
        ReadTerms terms = new ReadTerms(0, ReadMode.SEQUENTIAL, System.nanoTime() + TimeUnit.SECONDS.toNanos(60));
        FillingFetch fetch = fetch((located, asked) -> {
            assertThat(asked).isEqualTo(terms);
            return new FetchedPartition(null, new ReadInfo(90, Served.WAITED, 0));
        });
        assertThat(fetch.fetch(read, terms).info().served()).isEqualTo(Served.WAITED);
    }

    @Test
    void oneThatWaitsIsReadPlainlyOnceTheTableIs() throws Exception {
        looks.addAll(List.of(0L, 50L, 60L));
        FillingFetch fetch = fetch((located, terms) -> {
            asked.add("here");
            assertThat(terms.isOver()).isFalse();
            throw new RequestRefusedException(Failure.TIMED_OUT, "the table is not served yet");
        });
        ReadTerms terms = new ReadTerms(0, ReadMode.SEQUENTIAL, System.nanoTime() + TimeUnit.SECONDS.toNanos(60));
        assertThat(fetch.fetch(read, terms).info().served()).isEqualTo(Served.PLAIN);
        assertThat(asked).containsExactly("here", "cassandra");
    }

    @Test
    void aPlainAnswerDoesNotCountOnceOthersMayServeTheTable() throws Exception {
        looks.addAll(List.of(50L, 0L));
        assertThat(fetch(ReadMode.SEQUENTIAL).info().cutMicros()).isEqualTo(90);
        assertThat(asked).containsExactly("cassandra", "here");
    }

    @Test
    void aPlainAnswerDoesNotCountWhereCassandraGoesByAnotherRing() throws Exception {
        looks.addAll(List.of(50L, 60L, 50L));
        isByItsRing.addAll(List.of(true, false, false));
        assertThat(fetch(ReadMode.SEQUENTIAL).info().cutMicros()).isEqualTo(90);
        assertThat(fetch(ReadMode.SEQUENTIAL).info().cutMicros()).isEqualTo(90);
        assertThat(asked).containsExactly("cassandra", "here", "here");
    }

    @Test
    void whereOthersMayServeItUnderAnEarlierNameItIsNotReadPlainly() throws Exception {
        looks.add(50L);
        earlier = true;
        assertThat(fetch(ReadMode.SEQUENTIAL).info().served()).isEqualTo(Served.LOCAL);
        assertThat(asked).containsExactly("here");
    }

    @Test
    void whoAsksForMoreThanSequentialIsNotReadPlainly() throws Exception {
        assertThat(fetch(ReadMode.STRICT).info().served()).isEqualTo(Served.LOCAL);
        assertThat(asked).containsExactly("here");
    }
}
