/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.placement;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.dht.Murmur3Partitioner;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.meteorshower.protocol.Placement;

/** Equal parts of the ring of the Murmur3 partitioner, as {@link Placement#bucketOf} numbers them. */
public final class Buckets {
    static final int UNKNOWN = -1;
    private static final int SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(Placement.BUCKETS);

    private Buckets() {}

    /** Negative where the partitioner is another one. */
    static int of(Token token) {
        return token instanceof LongToken murmur ? (int) ((murmur.token - Long.MIN_VALUE) >>> SHIFT) : UNKNOWN;
    }

    /** Whether a table of this partitioner has any. */
    public static boolean areOf(IPartitioner partitioner) {
        return partitioner instanceof Murmur3Partitioner;
    }

    /**
     * The parts of these ranges that lie in the buckets; a little more where that would be too many.
     *
     * @param most of them, about: a repair compares each on its own
     */
    public static List<Range<Token>> within(Collection<Range<Token>> ranges, BitSet buckets, int most) {
        int each = 1;
        List<Range<Token>> parts = runs(buckets, each);
        while (parts.size() > most) {
            each *= 2;
            parts = runs(buckets, each);
        }
        List<Range<Token>> within = new ArrayList<>();
        for (Range<Token> range : ranges) {
            for (Range<Token> part : parts) {
                within.addAll(range.intersectionWith(part));
            }
        }
        return Range.sort(within);
    }

    /** Buckets beside each other make one range; so many are taken for one of them. */
    private static List<Range<Token>> runs(BitSet buckets, int each) {
        BitSet taken = new BitSet();
        buckets.stream().forEach(bucket -> taken.set(bucket / each));
        List<Range<Token>> runs = new ArrayList<>();
        for (int from = taken.nextSetBit(0); from >= 0; ) {
            int to = taken.nextClearBit(from);
            runs.add(new Range<>(before((long) from * each), before(Math.min((long) to * each, Placement.BUCKETS))));
            from = taken.nextSetBit(to);
        }
        return runs;
    }

    /** The last token before the bucket; no partition has the smallest one. */
    private static Token before(long bucket) {
        return bucket == 0 ? Murmur3Partitioner.MINIMUM : new LongToken(Long.MIN_VALUE + (bucket << SHIFT) - 1);
    }
}
