/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayDeque;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.log.Version;

/** What a range was given of the merged order and has not executed yet. Slices begin in order, as there is room. */
final class UnderWay {
    private final TreeMap<Long, Part> parts = new TreeMap<>();

    /** By count: bytes of slices, or of what was read from them, of which not all before has ended. */
    private final TreeMap<Long, Integer> slices = new TreeMap<>();

    /** Those that have not begun. */
    private final ArrayDeque<Slice> waiting = new ArrayDeque<>();

    /** The first count of which there is no slice. */
    private long next = RangeServer.NOT_BEGUN;

    private long bytes;
    private long waitingBytes;

    long next() {
        return next;
    }

    boolean hasBegun() {
        return next != RangeServer.NOT_BEGUN;
    }

    long bytes() {
        return bytes;
    }

    /** Of slices that have begun. */
    long begunBytes() {
        return bytes - waitingBytes;
    }

    void took(Slice slice) {
        slices.put(slice.count(), slice.weight());
        bytes += slice.weight();
        waiting.add(slice);
        waitingBytes += slice.weight();
    }

    void toldBelow(long count) {
        next = Math.max(next, count);
        letGo();
    }

    boolean isWaiting() {
        return !waiting.isEmpty();
    }

    /** Whether nothing that has begun has not ended. */
    boolean isIdle() {
        return parts.isEmpty();
    }

    /** The next one that is to begin. */
    Slice begin() {
        Slice slice = waiting.remove();
        waitingBytes -= slice.weight();
        return slice;
    }

    /** In place of its bytes there is now what was read from them. */
    void began(Slice slice, int weight) {
        slices.put(slice.count(), weight);
        bytes += weight - slice.weight();
    }

    void add(Part part) {
        parts.put(part.version, part);
    }

    /** Null where it has ended, or not begun. */
    @Nullable
    Part part(long version) {
        return parts.get(version);
    }

    /** Those that have begun and not ended, in merged order. */
    List<Part> all() {
        return List.copyOf(parts.values());
    }

    /** The first in merged order; null where all that have begun have ended. */
    @Nullable
    Part first() {
        return parts.isEmpty() ? null : parts.firstEntry().getValue();
    }

    /** Whether the transaction has not ended here. */
    boolean isAwaited(long version) {
        return hasBegun() && (parts.containsKey(version) || version >= Version.of(begunBelow(), 0));
    }

    /** All below this count that is here has begun. */
    private long begunBelow() {
        return waiting.isEmpty() ? next : waiting.getFirst().count();
    }

    /** All below this count have ended here; {@link RangeServer#NOT_BEGUN} before it has begun. */
    long executed() {
        return parts.isEmpty() ? begunBelow() : Math.min(begunBelow(), Version.entry(parts.firstKey()) - 1);
    }

    void ended(Part part) {
        parts.remove(part.version);
        letGo();
    }

    /** Nothing is kept of what has ended with all before it. */
    void letGo() {
        long executed = executed();
        while (!slices.isEmpty() && slices.firstKey() < executed) {
            bytes -= slices.pollFirstEntry().getValue();
        }
    }

    void beginAnew(long from) {
        parts.clear();
        slices.clear();
        waiting.clear();
        bytes = 0;
        waitingBytes = 0;
        next = from;
    }
}
