/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.placement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.RandomPartitioner;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Placement;

class BucketsTest {
    private static final List<Range<Token>> ALL =
            List.of(new Range<>(Murmur3Partitioner.MINIMUM, Murmur3Partitioner.MINIMUM));

    private final SplittableRandom random = new SplittableRandom(7);

    private static boolean isIn(List<Range<Token>> ranges, Token token) {
        return ranges.stream().anyMatch(range -> range.contains(token));
    }

    @Test
    void aTokenIsInTheRangesOfItsBucketAndOfNoOther() {
        for (int i = 0; i < 1_000; i++) {
            Token token = new LongToken(random.nextLong());
            BitSet its = new BitSet();
            its.set(Buckets.of(token));
            assertThat(isIn(Buckets.within(ALL, its, 100), token))
                    .as("%s", token)
                    .isTrue();
            its.flip(0, Placement.BUCKETS);
            assertThat(isIn(Buckets.within(ALL, its, 100), token))
                    .as("%s", token)
                    .isFalse();
        }
    }

    @Test
    void theEndsOfTheRingAreInTheFirstAndTheLastBucket() {
        assertThat(Buckets.of(new LongToken(Long.MIN_VALUE + 1))).isZero();
        assertThat(Buckets.of(new LongToken(Long.MAX_VALUE))).isEqualTo(Placement.BUCKETS - 1);
        BitSet last = new BitSet();
        last.set(Placement.BUCKETS - 1);
        assertThat(isIn(Buckets.within(ALL, last, 100), new LongToken(Long.MAX_VALUE)))
                .isTrue();
    }

    @Test
    void onlyWhatLiesInTheRangesIsGiven() {
        BitSet half = new BitSet();
        half.set(0, Placement.BUCKETS / 2);
        Range<Token> held = new Range<>(new LongToken(-1_000), new LongToken(1_000));
        assertThat(Buckets.within(List.of(held), half, 100))
                .containsExactly(new Range<>(new LongToken(-1_000), new LongToken(-1)));
    }

    @Test
    void tooManyAreGivenAsFewerLargerOnes() {
        BitSet many = new BitSet();
        for (int bucket = 0; bucket < Placement.BUCKETS; bucket += 2) {
            many.set(bucket);
        }
        many.clear(0, 4_000);
        List<Range<Token>> ranges = Buckets.within(ALL, many, 100);
        assertThat(ranges).hasSizeLessThanOrEqualTo(100);
        for (int i = 0; i < 1_000; i++) {
            Token token = new LongToken(random.nextLong());
            assertThat(!many.get(Buckets.of(token)) || isIn(ranges, token))
                    .as("%s", token)
                    .isTrue();
        }
    }

    @Test
    void otherPartitionersHaveNone() {
        assertThat(Buckets.areOf(RandomPartitioner.instance)).isFalse();
        assertThat(Buckets.of(RandomPartitioner.instance.getRandomToken())).isNegative();
    }
}
