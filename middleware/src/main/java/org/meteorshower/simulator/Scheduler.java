/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.Arrays;

/** Simulated time and what is to happen in it. Events of one moment happen in the order they were scheduled. */
public final class Scheduler {
    // A binary heap in three arrays: the queue is touched for every step, and comparators and boxes showed.
    private long[] atMicros = new long[1_024];
    private long[] order = new long[1_024];
    private Runnable[] actions = new Runnable[1_024];
    private int size;
    private long nowMicros = 1_000_000;
    private long scheduled;

    public long nowMicros() {
        return nowMicros;
    }

    public void after(long micros, Runnable action) {
        if (size == actions.length) {
            atMicros = Arrays.copyOf(atMicros, 2 * size);
            order = Arrays.copyOf(order, 2 * size);
            actions = Arrays.copyOf(actions, 2 * size);
        }
        long at = nowMicros + Math.max(0, micros);
        int hole = size++;
        while (hole > 0 && at < atMicros[(hole - 1) >> 1]) {
            move((hole - 1) >> 1, hole);
            hole = (hole - 1) >> 1;
        }
        put(hole, at, scheduled++, action);
    }

    /** Lets the next thing happen; false when nothing is left. */
    public boolean step() {
        if (size == 0) {
            return false;
        }
        Runnable action = actions[0];
        nowMicros = atMicros[0];
        size--;
        if (size > 0) {
            sink(atMicros[size], order[size], actions[size]);
        }
        action.run();
        return true;
    }

    /** Fills the hole at the root with what was last. */
    private void sink(long at, long number, Runnable action) {
        int hole = 0;
        while (2 * hole + 1 < size) {
            int child = 2 * hole + 1;
            if (child + 1 < size && isBefore(child + 1, atMicros[child], order[child])) {
                child++;
            }
            if (!isBefore(child, at, number)) {
                break;
            }
            move(child, hole);
            hole = child;
        }
        put(hole, at, number, action);
    }

    private boolean isBefore(int index, long at, long number) {
        return atMicros[index] < at || (atMicros[index] == at && order[index] < number);
    }

    private void move(int from, int to) {
        put(to, atMicros[from], order[from], actions[from]);
    }

    private void put(int index, long at, long number, Runnable action) {
        atMicros[index] = at;
        order[index] = number;
        actions[index] = action;
    }
}
