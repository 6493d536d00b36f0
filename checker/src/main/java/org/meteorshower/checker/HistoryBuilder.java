/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Collects a history in memory. Not thread-safe: several threads need a lock of their own around {@link #add}.
 *
 * <p>Operations of one session are added in program order; sessions may be mixed in any way. What the format forbids is
 * refused with an IllegalArgumentException that names the reason: a value written twice to a key, an end before its
 * start, an operation that starts before the previous one of its session ended.
 */
public final class HistoryBuilder {
    private static final int NO_SOURCE = -1;

    private final HistoryColumns columns = new HistoryColumns();
    private final List<String> sources = new ArrayList<>();
    private long[] sessionNanos = new long[16]; // per session: no later operation starts before this
    private boolean built;

    HistoryBuilder() {}

    /** Adds the next operation of its session. */
    public HistoryBuilder add(Operation op) {
        return add(op, NO_SOURCE, 0);
    }

    /** Number of operations added. */
    public int size() {
        return columns.size;
    }

    /** Ends the building: this builder takes no more. */
    public History build() {
        built = true;
        return new History(columns, List.copyOf(sources));
    }

    int source(String file) {
        sources.add(file);
        return sources.size() - 1;
    }

    HistoryBuilder add(Operation op, int source, int line) {
        if (built) {
            throw new IllegalStateException("the history is already built");
        }
        requireTimes(op);
        requireUnique(op);
        requireProgramOrder(op);
        columns.append(op, source, line);
        int session = columns.session[columns.size - 1];
        if (session >= sessionNanos.length) {
            sessionNanos = Arrays.copyOf(sessionNanos, sessionNanos.length * 2);
        }
        sessionNanos[session] = Math.max(op.startNanos(), columns.end[columns.size - 1]);
        return this;
    }

    private static void requireTimes(Operation op) {
        if (op.startNanos() < 0) {
            throw new IllegalArgumentException("start_ns is " + op.startNanos() + "; it must be 0 or more");
        }
        if (op.endNanos() == Operation.NO_END) {
            if (op.status() == Operation.Status.OK) {
                throw new IllegalArgumentException("status ok needs end_ns; an operation without an answer is unknown");
            }
        } else if (op.endNanos() < op.startNanos()) {
            throw new IllegalArgumentException("end_ns " + op.endNanos() + " is before start_ns " + op.startNanos());
        }
    }

    private void requireUnique(Operation op) {
        if (op.type() == Operation.Type.READ) {
            return;
        }
        int before = columns.writer(op.key(), op.value());
        if (before >= 0) {
            throw new IllegalArgumentException("value \"" + op.value() + "\" was written to key \"" + op.key()
                    + "\" before, at " + new History(columns, sources).where(before)
                    + "; written values must be unique per key, or a read would not tell which write it saw");
        }
    }

    private void requireProgramOrder(Operation op) {
        int session = columns.sessions.find(op.session());
        if (session >= 0 && op.startNanos() < sessionNanos[session]) {
            throw new IllegalArgumentException("start_ns " + op.startNanos() + " is before "
                    + sessionNanos[session] + ", when the previous operation of session \"" + op.session()
                    + "\" ended (or started); a session's lines stand in program order and do not overlap: give"
                    + " concurrent requests sessions of their own");
        }
    }
}
