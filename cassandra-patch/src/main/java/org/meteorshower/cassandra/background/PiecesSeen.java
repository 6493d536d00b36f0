/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * When how many pieces of a repair were seen done that several nodes work on. Their pace is that of the newer half:
 * nodes do not begin at once, and each begins slowly, to spare clients. Holds one entry for each piece at most. Not
 * thread-safe.
 */
public final class PiecesSeen {
    private record Seen(int done, long millis) {}

    /** The first is the one that the pace is reckoned from. */
    private final Deque<Seen> all = new ArrayDeque<>();

    /** @param nowMillis of any clock that does not go back */
    public void at(int done, long nowMillis) {
        Seen last = all.peekLast();
        if (last != null && last.done == done) {
            return;
        }
        if (last != null && last.done > done) {
            all.clear(); // it begins anew
        }
        all.addLast(new Seen(done, nowMillis));
    }

    /** Nothing is being done yet. */
    public void clear() {
        all.clear();
    }

    /** What a piece takes; 0 while that cannot be told. */
    public double secondsEach(long nowMillis) {
        Seen last = all.peekLast();
        if (last == null) {
            return 0;
        }
        Seen from = all.getFirst();
        while (all.size() > 2 && from.done * 2 < last.done) {
            all.removeFirst();
            from = all.getFirst();
        }
        return last.done == from.done ? 0 : (nowMillis - from.millis) / 1e3 / (last.done - from.done);
    }
}
