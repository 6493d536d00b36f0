/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.Slices;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.filter.RowFilter;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.read.GatheredRows;
import org.meteorshower.cassandra.read.ScansElsewhere.Part;
import org.meteorshower.cassandra.store.TestTables;
import org.meteorshower.cassandra.ways.Ways;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.Served;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.RequestRefusedException;

/** A node that reads parts of a scan, and one that asks it: what is said between them. */
class ScanCallsTest {
    private static final NodeId OTHER = NodeId.of(2);
    private static final long CUT = 77;

    /** What the other node has, by key. */
    private final TreeMap<DecoratedKey, Integer> rows = new TreeMap<>();

    private int valueBytes = 10;
    private int calls;
    private boolean closed;

    private final ByteAccount room = new ByteAccount(100 << 20);
    private final GatheredRows held = new GatheredRows(room);
    private final ScanCalls scans = new ScanCalls(NodeId.of(1), new ToItself(this::answer), new Ways());

    private CompletableFuture<byte[]> answer(byte[] request) {
        try {
            calls++;
            return CompletableFuture.completedFuture(ScanRequest.decode(request).handOver(new Node()));
        } catch (RequestRefusedException e) {
            return CompletableFuture.completedFuture(ScanAnswer.refused(e));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Reads as many rows as asked for, or somewhat more, as a store does. */
    private final class Node implements ScanRequest.Handler {
        @Override
        public byte[] on(ScanRequest.Open open) throws RequestRefusedException {
            if (open.tokenMicros() > CUT) {
                throw new RequestRefusedException(Failure.NOT_READY, "it lacks what others have");
            }
            assertThat(open.table().id).isEqualTo(TestTables.CART.id);
            return new ScanAnswer.Opened(5, new ReadInfo(CUT, Served.WAITED, 3)).encode();
        }

        @Override
        public byte[] on(ScanRequest.Lower lower) {
            assertThat(lower.scanId()).isEqualTo(5);
            return ScanAnswer.lowered(lower.mostMicros() < 50 ? Long.MIN_VALUE : lower.mostMicros() - 1);
        }

        @Override
        public byte[] on(ScanRequest.Read read) {
            assertThat(read.scanId()).isEqualTo(5);
            assertThat(read.cutMicros()).isEqualTo(CUT);
            List<List<ImmutableBTreePartition>> found = new ArrayList<>();
            int count = 0;
            for (PartitionRangeReadCommand command : read.commands()) {
                int limit = command.limits().count();
                if (count >= limit) {
                    break;
                }
                List<ImmutableBTreePartition> partitions = new ArrayList<>();
                for (DecoratedKey key : rows.keySet()) {
                    if (command.dataRange().contains(key) && count < limit) {
                        int some = Math.min(rows.get(key), limit - count + 2);
                        partitions.add(partition(key, some));
                        count += some;
                    }
                }
                found.add(partitions);
            }
            return new ScanAnswer.Found(found).encode(read.commands());
        }

        @Override
        public byte[] on(ScanRequest.Close close) {
            closed = true;
            return ScanAnswer.closed();
        }
    }

    private ImmutableBTreePartition partition(DecoratedKey key, int some) {
        PartitionUpdate.SimpleBuilder builder = PartitionUpdate.simpleBuilder(
                        TestTables.CART, UTF8Type.instance.compose(key.getKey()))
                .timestamp(4)
                .nowInSec(1);
        for (int row = 0; row < some; row++) {
            builder.row(row).add("a", "x".repeat(valueBytes));
        }
        return ImmutableBTreePartition.create(
                builder.build().unfilteredIterator(ColumnFilter.all(TestTables.CART), Slices.ALL, false));
    }

    private static PartitionRangeReadCommand all() {
        return PartitionRangeReadCommand.create(
                TestTables.CART,
                1,
                ColumnFilter.all(TestTables.CART),
                RowFilter.none(),
                DataLimits.NONE,
                DataRange.allData(Murmur3Partitioner.instance));
    }

    private static PartitionPosition at(long token) {
        return new LongToken(token).maxKeyBound();
    }

    private static final List<AbstractBounds<PartitionPosition>> HALVES = List.of(
            AbstractBounds.bounds(at(Long.MIN_VALUE + 1), false, at(-1), true),
            AbstractBounds.bounds(at(5L << 58), false, at(Long.MAX_VALUE), true));

    private Part opened(long tokenMicros) throws ExecutionException, InterruptedException {
        return scans.open(OTHER, TestTables.CART, HALVES, tokenMicros, System.nanoTime() + 10_000_000_000L)
                .get();
    }

    private void fill(int partitions, int most) {
        SplittableRandom random = new SplittableRandom(partitions);
        for (int i = 0; i < partitions; i++) {
            rows.put(
                    TestTables.CART.partitioner.decorateKey(UTF8Type.instance.decompose("key" + i)),
                    1 + random.nextInt(most));
        }
    }

    /** How many rows of which partition, in the order in which they came. */
    private List<String> read(int limit) throws ExecutionException, InterruptedException {
        List<String> found = new ArrayList<>();
        for (ImmutableBTreePartition partition :
                opened(0).rowsFor(CUT, all(), HALVES, limit, held).get()) {
            found.add(UTF8Type.instance.compose(partition.partitionKey().getKey()) + " " + partition.rowCount());
        }
        return found;
    }

    private List<String> expected() {
        List<String> expected = new ArrayList<>();
        rows.forEach((key, count) -> {
            if (HALVES.stream().anyMatch(half -> half.contains(key))) {
                expected.add(UTF8Type.instance.compose(key.getKey()) + " " + count);
            }
        });
        return expected;
    }

    @Test
    void allRowsComeHoweverManyCallsThatTakes() throws Exception {
        fill(3_000, 3);

        assertThat(read(DataLimits.NO_LIMIT)).isEqualTo(expected());
        assertThat(calls).isBetween(3, 12);
    }

    @Test
    void partitionsThatAreLargerThanAStepComeWhole() throws Exception {
        fill(6, 5_000);

        assertThat(read(DataLimits.NO_LIMIT)).isEqualTo(expected());
    }

    @Test
    void whereAnAnswerWouldBeTooLargeLessIsAskedFor() throws Exception {
        valueBytes = 1 << 20;
        fill(60, 1);

        assertThat(read(DataLimits.NO_LIMIT)).isEqualTo(expected());
    }

    @Test
    void soManyRowsAsAreWantedAreThereWithoutAGap() throws Exception {
        fill(300, 3);
        for (int limit = 1; limit < 400; limit += 7) {
            List<String> found = read(limit);
            int count = found.stream()
                    .mapToInt(each -> Integer.parseInt(each.split(" ")[1]))
                    .sum();
            int whole = found.size() - 1; // of the last one there may be more

            assertThat(found.subList(0, whole)).isEqualTo(expected().subList(0, whole));
            assertThat(count >= limit || found.equals(expected())).isTrue();
        }
    }

    @Test
    void moreThanThereIsRoomForIsRefused() {
        valueBytes = 1 << 20;
        fill(200, 1);

        assertThatThrownBy(() -> read(DataLimits.NO_LIMIT))
                .hasCauseInstanceOf(RequestRefusedException.class)
                .hasMessageContaining("memory.waiting_reads");
        assertThat(room.used()).isPositive();
        held.giveBack();
        assertThat(room.used()).isZero();
    }

    @Test
    void aPartitionThatIsTooLargeForAnyAnswerIsRefusedSoon() {
        valueBytes = 10_000;
        rows.put(TestTables.CART.partitioner.decorateKey(UTF8Type.instance.decompose("key0")), 2_000);

        assertThatThrownBy(() -> read(DataLimits.NO_LIMIT))
                .hasCauseInstanceOf(RequestRefusedException.class)
                .hasMessageContaining("a partition takes more");
        assertThat(calls).isLessThan(30);
    }

    @Test
    void aRowThatIsTooLargeForAnyAnswerIsRefused() {
        valueBytes = 9 << 20;
        fill(2, 1);

        assertThatThrownBy(() -> read(10))
                .hasCauseInstanceOf(RequestRefusedException.class)
                .hasMessageContaining("read it by its key");
    }

    @Test
    void cutsAndRefusalsComeAsTheyAre() throws Exception {
        Part part = opened(0);
        assertThat(part.info()).isEqualTo(new ReadInfo(CUT, Served.WAITED, 3));
        assertThat(part.newestUpTo(60).get()).isEqualTo(59);
        assertThat(part.newestUpTo(40).get()).isEqualTo(Long.MIN_VALUE);
        part.close();
        assertThat(closed).isTrue();
        assertThatThrownBy(() -> opened(CUT + 1))
                .hasCauseInstanceOf(RequestRefusedException.class)
                .hasMessageContaining("it lacks what others have");
    }

    @Test
    void whatIsDamagedIsNotRead() {
        byte[] request = new ScanRequest.Open(TestTables.CART, HALVES, 1, 2).encode();
        for (int at = 0; at < request.length; at++) {
            byte[] damaged = request.clone();
            damaged[at] ^= 8;
            assertThatThrownBy(() -> ScanRequest.decode(damaged)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> ScanAnswer.opened(ScanAnswer.closed())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ScanAnswer.opened(new byte[] {7})).isInstanceOf(IllegalArgumentException.class);
    }
}
