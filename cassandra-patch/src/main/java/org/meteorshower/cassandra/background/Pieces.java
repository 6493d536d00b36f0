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
        List<Range<Token>> parts = split(ranges, (wanted + ranges.size() - 1) / ranges.size(), partitioner);
        List<List<Range<Token>>> pieces = new ArrayList<>();
        int number = Math.min(wanted, parts.size());
        for (int i = 0; i < number; i++) {
            int from = (int) ((long) i * parts.size() / number);
            int to = (int) ((long) (i + 1) * parts.size() / number);
            pieces.add(List.copyOf(parts.subList(from, to)));
        }
        return pieces;
    }

    private static List<Range<Token>> split(Collection<Range<Token>> ranges, int each, IPartitioner partitioner) {
        Optional<Splitter> splitter = partitioner.splitter();
        if (splitter.isEmpty() || each == 1) {
            return List.copyOf(ranges);
        }
        List<Range<Token>> parts = new ArrayList<>();
        for (Range<Token> range : ranges) {
            for (Range<Token> whole : range.unwrap()) {
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
}
