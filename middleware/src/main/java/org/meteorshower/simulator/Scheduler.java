/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Simulated time and what is to happen in it. Events of one moment happen in the order they were scheduled. */
public final class Scheduler {
    /** The low bits of a place hold the number of the event, those above it the time: one comparison orders both. */
    private static final int NUMBER_BITS = 28;

    /** Simulated time and numbers of events end here: 9.5 hours, 268 million events. */
    private static final long LAST_MICROS = (1L << (63 - NUMBER_BITS)) - 1;

    private static final long LAST_NUMBER = (1L << NUMBER_BITS) - 1;

    // A heap in two arrays, four children to a node: the queue is touched for every step, most of what is in it are
    // time-outs far away, and comparators, boxes and cache misses showed.
    private long[] places = new long[1_024];
    private @Nullable Runnable[] actions = new Runnable[1_024];
    private int size;
    private long nowMicros = 1_000_000;
    private long scheduled;

    public long nowMicros() {
        return nowMicros;
    }

    /** @throws IllegalStateException where a run would become longer than there is room for */
    public void after(long micros, Runnable action) {
        if (size == actions.length) {
            places = Arrays.copyOf(places, 2 * size);
            actions = Arrays.copyOf(actions, 2 * size);
        }
        long atMicros = nowMicros + Math.max(0, micros);
        if (atMicros > LAST_MICROS || scheduled > LAST_NUMBER) {
            throw new IllegalStateException("a run has no room for event " + scheduled + " at " + atMicros + " us");
        }
        long place = (atMicros << NUMBER_BITS) | scheduled++;
        int hole = size++;
        while (hole > 0 && place < places[(hole - 1) >> 2]) {
            int parent = (hole - 1) >> 2;
            places[hole] = places[parent];
            actions[hole] = actions[parent];
            hole = parent;
        }
        places[hole] = place;
        actions[hole] = action;
    }

    /** Lets the next thing happen; false when nothing is left. */
    public boolean step() {
        Runnable action = actions[0];
        if (size == 0 || action == null) {
            return false;
        }
        nowMicros = places[0] >>> NUMBER_BITS;
        size--;
        long last = places[size];
        Runnable lastAction = actions[size];
        actions[size] = null;
        if (size > 0) {
            sink(last, lastAction);
        }
        action.run();
        return true;
    }

    /** Fills the hole at the root with what was last. */
    private void sink(long place, @Nullable Runnable action) {
        int hole = 0;
        int first = 1;
        while (first < size) {
            int least = first;
            int end = Math.min(first + 4, size);
            for (int child = first + 1; child < end; child++) {
                if (places[child] < places[least]) {
                    least = child;
                }
            }
            if (places[least] >= place) {
                break;
            }
            places[hole] = places[least];
            actions[hole] = actions[least];
            hole = least;
            first = 4 * hole + 1;
        }
        places[hole] = place;
        actions[hole] = action;
    }
}
