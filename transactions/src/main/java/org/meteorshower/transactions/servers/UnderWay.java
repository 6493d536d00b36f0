/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.log.Version;

/** The chains that have not ended in a range, and how far it is. */
final class UnderWay {
    private final TreeMap<Long, Part> parts = new TreeMap<>();

    /** By count: bytes of slices of which not all before has ended. */
    private final TreeMap<Long, Integer> slices = new TreeMap<>();

    /** The first count of which there is no slice. */
    private long next = RangeServer.NOT_BEGUN;

    private long bytes;

    long next() {
        return next;
    }

    boolean hasBegun() {
        return next != RangeServer.NOT_BEGUN;
    }

    long bytes() {
        return bytes;
    }

    void took(Slice slice) {
        slices.put(slice.count(), slice.weight());
        bytes += slice.weight();
    }

    void toldBelow(long count) {
        next = Math.max(next, count);
        letGo();
    }

    void add(Part part) {
        parts.put(part.version, part);
    }

    /** Null where it has ended, or not begun. */
    @Nullable
    Part part(long version) {
        return parts.get(version);
    }

    /** The first in merged order; null where all have ended. */
    @Nullable
    Part first() {
        return parts.isEmpty() ? null : parts.firstEntry().getValue();
    }

    /** All below this count have ended here; {@link RangeServer#NOT_BEGUN} before it has begun. */
    long executed() {
        return parts.isEmpty() ? next : Math.min(next, Version.entry(parts.firstKey()) - 1);
    }

    void ended(Part part) {
        parts.remove(part.version);
        letGo();
    }

    private void letGo() {
        long executed = executed();
        while (!slices.isEmpty() && slices.firstKey() < executed) {
            bytes -= slices.pollFirstEntry().getValue();
        }
    }

    void beginAnew(long from) {
        parts.clear();
        slices.clear();
        bytes = 0;
        next = from;
    }
}
