/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * How many bytes of a lane were decided up to which position: a mark every so many bytes, and only the last marks. So
 * what somebody lacks from a position on is known to within a mark, and beyond the first mark to be at least that.
 */
final class DecidedBytes {
    private static final long MARK_EVERY = 16 << 10;

    /** Far more than anybody is waited for. */
    private static final int MOST_MARKS = 16_384;

    private record Mark(long position, long bytes) {}

    private final Deque<Mark> marks = new ArrayDeque<>();
    private long next;
    private long bytes;

    DecidedBytes(long next) {
        this.next = next;
        marks.add(new Mark(next, 0));
    }

    /** The next position is decided. */
    void add(int weight) {
        next++;
        bytes += weight;
        if (bytes - marks.getLast().bytes() >= MARK_EVERY) {
            marks.add(new Mark(next, bytes));
            if (marks.size() > MOST_MARKS) {
                marks.removeFirst();
            }
        }
    }

    void skipTo(long position) {
        next = position;
        marks.add(new Mark(position, bytes));
    }

    /** What was decided since the process began. */
    long total() {
        return bytes;
    }

    /** What was decided from the position on. */
    long from(long position) {
        if (position >= next) {
            return 0;
        }
        for (Iterator<Mark> newestFirst = marks.descendingIterator(); newestFirst.hasNext(); ) {
            Mark mark = newestFirst.next();
            if (mark.position() <= position) {
                return bytes - mark.bytes();
            }
        }
        return bytes - marks.getFirst().bytes();
    }
}
