/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.cassandra.dht.IPartitioner;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Splitter;
import org.apache.cassandra.dht.Token;

/** Cuts what a repair is about into pieces of about the same size, so that it can rest between them. */
final class Pieces {
    /** Smaller ones would cost more round trips than comparing. */
    private static final long LEAST_BYTES = 8L << 20;

    private static final int MOST = 512;

    private Pieces() {}

    /**
     * All of these ranges, each piece a list of parts of them.
     *
     * @param bytes that are to be compared, about
     */
    static List<List<Range<Token>>> of(Collection<Range<Token>> ranges, long bytes, IPartitioner partitioner) {
        int wanted = (int) Math.max(1, Math.min(MOST, bytes / LEAST_BYTES));
        if (wanted == 1 || ranges.isEmpty()) {
            return List.of(List.copyOf(ranges));
        }
        List<Range<Token>> parts = split(ranges, wanted, partitioner);
        double all = widthOf(parts);
        List<List<Range<Token>>> pieces = new ArrayList<>();
        List<Range<Token>> piece = new ArrayList<>();
        double width = 0;
        for (Range<Token> part : parts) {
            piece.add(part);
            width += widthOf(part);
            if (width * wanted >= all * (pieces.size() + 1)) {
                pieces.add(List.copyOf(piece));
                piece.clear();
            }
        }
        if (!piece.isEmpty()) { // where the sum of the widths was rounded
            pieces.add(List.copyOf(piece));
        }
        return pieces;
    }

    /**
     * These ranges, cut into parts that are no wider than so many of the same width would be; none goes over the ring's
     * end. In the order of the ranges.
     */
    static List<Range<Token>> split(Collection<Range<Token>> ranges, int wanted, IPartitioner partitioner) {
        Optional<Splitter> splitter = partitioner.splitter();
        double all = widthOf(ranges);
        List<Range<Token>> parts = new ArrayList<>();
        for (Range<Token> range : ranges) {
            for (Range<Token> whole : range.unwrap()) {
                int each = (int) Math.ceil(wanted * widthOf(whole) / all);
                if (each <= 1 || splitter.isEmpty()) {
                    parts.add(whole);
                    continue;
                }
                List<Range<Token>> split =
                        new ArrayList<>(Range.sort(splitter.get().split(List.of(whole), each)));
                // It gives the largest token where the range goes up to the smallest, which is the ring's end.
                Range<Token> last = split.remove(split.size() - 1);
                split.add(new Range<>(last.left, whole.right));
                parts.addAll(split);
            }
        }
        return parts;
    }

    /** How much of the ring they are together, of 1. */
    static double widthOf(Collection<Range<Token>> ranges) {
        return ranges.stream().mapToDouble(Pieces::widthOf).sum();
    }

    private static double widthOf(Range<Token> range) {
        return range.left.equals(range.right) ? 1 : range.left.size(range.right);
    }
}
