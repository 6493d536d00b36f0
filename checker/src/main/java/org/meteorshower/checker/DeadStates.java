/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

/** A bounded set of 128-bit fingerprints of states that led nowhere. */
final class DeadStates {
    private static final int LIMIT = 1 << 20;

    private long[] high = new long[1 << 10];
    private long[] low = new long[1 << 10];
    private int size;

    /** Whether it takes no more. */
    boolean full() {
        return size >= LIMIT;
    }

    boolean contains(long first, long second) {
        int slot = slot(first, second);
        return high[slot] != 0 || low[slot] != 0;
    }

    void add(long first, long second) {
        int slot = slot(first, second);
        if (high[slot] != 0 || low[slot] != 0) {
            return;
        }
        high[slot] = first;
        low[slot] = second;
        if (++size * 2 > high.length) {
            grow();
        }
    }

    private int slot(long first, long second) {
        int mask = high.length - 1;
        int slot = (int) (first & mask);
        while ((high[slot] != 0 || low[slot] != 0) && (high[slot] != first || low[slot] != second)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldHigh = high;
        long[] oldLow = low;
        high = new long[oldHigh.length * 2];
        low = new long[oldHigh.length * 2];
        for (int i = 0; i < oldHigh.length; i++) {
            if (oldHigh[i] != 0 || oldLow[i] != 0) {
                int slot = slot(oldHigh[i], oldLow[i]);
                high[slot] = oldHigh[i];
                low[slot] = oldLow[i];
            }
        }
    }
}
