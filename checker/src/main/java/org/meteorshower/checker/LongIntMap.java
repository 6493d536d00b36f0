/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

/** A map from non-negative longs to non-negative ints; open addressing, at most half full. */
final class LongIntMap {
    private long[] keys = new long[64];
    private int[] values = new int[64]; // value + 1; 0: empty
    private int size;

    /** The value of a key, or -1. */
    int get(long key) {
        return values[slot(key)] - 1;
    }

    /** Adds an entry unless the key is present; returns the value present before, or -1. */
    int putIfAbsent(long key, int value) {
        int slot = slot(key);
        if (values[slot] != 0) {
            return values[slot] - 1;
        }
        keys[slot] = key;
        values[slot] = value + 1;
        if (++size * 2 > values.length) {
            grow();
        }
        return -1;
    }

    private int slot(long key) {
        int mask = values.length - 1;
        int slot = (int) (Mix.mix(key) & mask);
        while (values[slot] != 0 && keys[slot] != key) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        long[] oldKeys = keys;
        int[] oldValues = values;
        keys = new long[oldKeys.length * 2];
        values = new int[oldKeys.length * 2];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldValues[i] != 0) {
                int slot = slot(oldKeys[i]);
                keys[slot] = oldKeys[i];
                values[slot] = oldValues[i];
            }
        }
    }
}
