/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
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
    private final List<Delay> delays = new ArrayList<>();
    private long nowMicros = 1_000_000;
    private long scheduled;

    /**
     * What happens equally long after it was scheduled happens in the order in which it was: it needs no sorting. Ticks
     * and time-outs are most of what waits, so the heap is left with little.
     */
    public final class Delay {
        private final long micros;
        private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
        private long[] at = new long[64];
        private int first;
        /** Of the first one, or {@link Long#MAX_VALUE} where there is none. */
        private long firstPlace = Long.MAX_VALUE;

        private Delay(long micros) {
            this.micros = Math.max(0, micros);
        }

        /** @throws IllegalStateException where a run would become longer than there is room for */
        public void then(Runnable action) {
            int count = waiting.size();
            if (count == at.length) {
                grow();
            }
            long place = place(micros);
            at[(first + count) & (at.length - 1)] = place;
            waiting.addLast(action);
            if (count == 0) {
                firstPlace = place;
            }
        }

        private void grow() {
            long[] larger = new long[2 * at.length];
            for (int i = 0; i < at.length; i++) {
                larger[i] = at[(first + i) & (at.length - 1)];
            }
            at = larger;
            first = 0;
        }

        private Runnable take() {
            Runnable action = waiting.removeFirst();
            first = (first + 1) & (at.length - 1);
            firstPlace = waiting.isEmpty() ? Long.MAX_VALUE : at[first];
            return action;
        }
    }

    /** For what often happens after just this long. There should be a few of them only. */
    public Delay delay(long micros) {
        for (Delay delay : delays) {
            if (delay.micros == micros) {
                return delay;
            }
        }
        Delay made = new Delay(micros);
        delays.add(made);
        return made;
    }

    public long nowMicros() {
        return nowMicros;
    }

    /** @throws IllegalStateException where a run would become longer than there is room for */
    public void after(long micros, Runnable action) {
        if (size == actions.length) {
            places = Arrays.copyOf(places, 2 * size);
            actions = Arrays.copyOf(actions, 2 * size);
        }
        long place = place(Math.max(0, micros));
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

    private long place(long micros) {
        long atMicros = nowMicros + micros;
        if (atMicros > LAST_MICROS || scheduled > LAST_NUMBER) {
            throw new IllegalStateException("a run has no room for event " + scheduled + " at " + atMicros + " us");
        }
        return (atMicros << NUMBER_BITS) | scheduled++;
    }

    /** Lets the next thing happen; false when nothing is left. */
    public boolean step() {
        long place = size == 0 ? Long.MAX_VALUE : places[0];
        Delay earliest = null;
        for (int i = 0; i < delays.size(); i++) {
            Delay delay = delays.get(i);
            if (delay.firstPlace < place) {
                place = delay.firstPlace;
                earliest = delay;
            }
        }
        if (place == Long.MAX_VALUE) {
            return false;
        }
        nowMicros = place >>> NUMBER_BITS;
        Runnable next = earliest == null ? takeRoot() : earliest.take();
        next.run();
        return true;
    }

    private Runnable takeRoot() {
        Runnable action = Objects.requireNonNull(actions[0]);
        size--;
        long last = places[size];
        Runnable lastAction = actions[size];
        actions[size] = null;
        if (size > 0) {
            sink(last, lastAction);
        }
        return action;
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
