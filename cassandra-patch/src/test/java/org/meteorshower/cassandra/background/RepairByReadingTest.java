/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.background.RepairByReading.UnreadException;
import org.meteorshower.cassandra.store.TestTables;

class RepairByReadingTest {
    private static final long MEGABYTE = 1L << 20;
    private static final Token END = new LongToken(Long.MIN_VALUE);
    private static final TableMetadata TABLE = TestTables.PAIRS;

    /** All of the ring. */
    private final List<Range<Token>> held = List.of(range(-1_000, 1_000), range(1_000, -1_000));

    private final Fake replicas = new Fake();
    private final Streams streams = new Streams();
    private final RepairByReading repairs = new RepairByReading(replicas, streams);
    private final Pace pace = new Pace(() -> 1);

    /** Replicas that differ at some tokens. */
    private static final class Fake implements RepairByReading.Replicas {
        final Set<Long> differing = new TreeSet<>();
        final List<Range<Token>> compared = new ArrayList<>();
        final List<Range<Token>> read = new ArrayList<>();
        long bytesOfLeaf = 64 << 10;
        int mostAtOnce;
        boolean canBeRead = true;
        boolean oneIsDown;

        @Override
        public boolean canBeRead(TableMetadata table) {
            return canBeRead;
        }

        @Override
        public boolean[] alike(TableMetadata table, List<Range<Token>> ranges) throws UnreadException {
            if (oneIsDown && !compared.isEmpty()) {
                throw new UnreadException("a replica is down", null);
            }
            compared.addAll(ranges);
            mostAtOnce = Math.max(mostAtOnce, ranges.size());
            boolean[] alike = new boolean[ranges.size()];
            for (int i = 0; i < alike.length; i++) {
                Range<Token> range = ranges.get(i);
                alike[i] = differing.stream().noneMatch(token -> range.contains((Token) new LongToken(token)));
            }
            return alike;
        }

        @Override
        public long bringTogether(TableMetadata table, Range<Token> range, long mostBytes, Pace pace) {
            read.add(range);
            if (bytesOfLeaf < mostBytes) {
                differing.removeIf(token -> range.contains((Token) new LongToken(token)));
            }
            return Math.min(mostBytes, bytesOfLeaf);
        }
    }

    private final class Streams implements Repairs {
        final List<Range<Token>> streamed = new ArrayList<>();

        @Nullable
        InetAddressAndPort from;

        long bytes = 8 * MEGABYTE;
        boolean succeeds = true;

        @Override
        public boolean run(
                TableMetadata table, @Nullable InetAddressAndPort source, Collection<Range<Token>> ranges, Pace pace) {
            from = source;
            streamed.addAll(ranges);
            return succeeds;
        }

        @Override
        public List<Range<Token>> held(TableMetadata table) {
            return held;
        }

        @Override
        public long bytesOf(TableMetadata table, Collection<Range<Token>> ranges) {
            return bytes;
        }
    }

    private static Range<Token> range(long after, long to) {
        return new Range<>(new LongToken(after), new LongToken(to));
    }

    private boolean run() throws InterruptedException {
        return repairs.run(TABLE, null, held, pace);
    }

    private static long spread(int i, int of) {
        return Long.MIN_VALUE + 1 + i * (Long.MAX_VALUE / of * 2);
    }

    @Test
    void whatIsAlikeIsComparedAndNeitherReadNorStreamed() throws Exception {
        assertThat(run()).isTrue();
        assertThat(Range.normalize(replicas.compared)).isEqualTo(Range.normalize(held));
        assertThat(replicas.compared)
                .as("a step of half a megabyte each, and none goes over the ring's end")
                .hasSizeBetween(16, 20)
                .allMatch(range -> !range.isWrapAround() || range.right.equals(END));
        assertThat(replicas.read).isEmpty();
        assertThat(streams.streamed).isEmpty();
    }

    @Test
    void whatDiffersInLittleIsReadAndNotStreamed() throws Exception {
        replicas.differing.addAll(Set.of(-5L, 7L, Long.MAX_VALUE));
        assertThat(run()).isTrue();
        assertThat(replicas.differing).isEmpty();
        assertThat(replicas.read).hasSizeBetween(2, 3);
        assertThat(streams.streamed).isEmpty();
    }

    @Test
    void whatDiffersInMuchIsStreamed() throws Exception {
        for (int i = 0; i < 128; i++) {
            replicas.differing.add(spread(i, 128));
        }
        assertThat(run()).isTrue();
        assertThat(replicas.read).as("a quarter of eight megabytes").hasSize(32);
        assertThat(streams.streamed).as("neighbours go together").hasSizeBetween(1, 3);
        for (long token : replicas.differing) {
            assertThat(streams.streamed).anyMatch(range -> range.contains((Token) new LongToken(token)));
        }
    }

    @Test
    void whatWasNotReadToItsEndIsStreamed() throws Exception {
        replicas.differing.add(7L);
        replicas.bytesOfLeaf = 100 * MEGABYTE;
        assertThat(run()).isTrue();
        assertThat(streams.streamed).hasSize(1).allMatch(range -> range.contains((Token) new LongToken(7)));
    }

    @Test
    void aStreamThatFailsIsAFailure() throws Exception {
        replicas.differing.add(7L);
        replicas.bytesOfLeaf = 100 * MEGABYTE;
        streams.succeeds = false;
        assertThat(run()).isFalse();
    }

    @Test
    void aReplicaThatGoesDownLeavesTheRestToCassandra() throws Exception {
        replicas.oneIsDown = true;
        assertThat(run()).isTrue();
        assertThat(replicas.compared).hasSize(1);
        List<Range<Token>> both = new ArrayList<>(replicas.compared);
        both.addAll(streams.streamed);
        assertThat(Range.normalize(both)).isEqualTo(Range.normalize(held));
    }

    @Test
    void aTableWithoutReadRepairIsCassandras() throws Exception {
        replicas.canBeRead = false;
        assertThat(run()).isTrue();
        assertThat(replicas.compared).isEmpty();
        assertThat(streams.streamed).isEqualTo(held);
    }

    @Test
    void whatComesFromOneReplicaIsCassandras() throws Exception {
        InetAddressAndPort source = InetAddressAndPort.getByAddress(InetAddress.getLoopbackAddress());
        assertThat(repairs.run(TABLE, source, held, pace)).isTrue();
        assertThat(replicas.compared).isEmpty();
        assertThat(streams.from).isEqualTo(source);
    }

    @Test
    void manySmallRangesAreComparedAtOnce() throws Exception {
        streams.bytes = 100_000;
        List<Range<Token>> many = new ArrayList<>();
        for (long at = 0; at < 256_000; at += 1_000) {
            many.add(range(at, at + 1_000));
        }
        assertThat(repairs.run(TABLE, null, many, pace)).isTrue();
        assertThat(replicas.compared).isEqualTo(many);
        assertThat(replicas.mostAtOnce).isEqualTo(64);
    }

    @Test
    void noneMeansAllThatIsHeld() throws Exception {
        assertThat(repairs.run(TABLE, null, List.of(), pace)).isTrue();
        assertThat(Range.normalize(replicas.compared)).isEqualTo(Range.normalize(held));
    }
}
