/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.Arrays;
import java.util.List;

/** A growing list of "must come before" pairs, each with its reason; numbered in the order they were found. */
final class Edges {
    /** {@link #via} of an edge that needs no third operation to explain it. */
    static final int NO_VIA = -1;

    private static final List<Reason> REASONS = List.of(Reason.values());

    private int[] from = new int[64];
    private int[] to = new int[64];
    private int[] via = new int[64];
    private byte[] reason = new byte[64];
    private int size;

    /**
     * @param viaNode the read that saw the second write of OVERWRITTEN, the write that a FROM_READ's read saw, or
     *     {@link #NO_VIA}
     */
    void add(int fromNode, int toNode, Reason why, int viaNode) {
        if (size == from.length) {
            int capacity = size + (size >> 1);
            from = Arrays.copyOf(from, capacity);
            to = Arrays.copyOf(to, capacity);
            via = Arrays.copyOf(via, capacity);
            reason = Arrays.copyOf(reason, capacity);
        }
        from[size] = fromNode;
        to[size] = toNode;
        via[size] = viaNode;
        reason[size++] = (byte) REASONS.indexOf(why);
    }

    int size() {
        return size;
    }

    int from(int edge) {
        return from[edge];
    }

    int to(int edge) {
        return to[edge];
    }

    int via(int edge) {
        return via[edge];
    }

    Reason reason(int edge) {
        return REASONS.get(reason[edge]);
    }
}
