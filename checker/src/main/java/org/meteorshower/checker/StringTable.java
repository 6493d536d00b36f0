/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Numbers strings from 0 in the order they first appear; an open hash table, far leaner than a map of boxes. */
final class StringTable {
    private String[] names = new String[16];
    private int[] slots = new int[64]; // id + 1; 0: empty; at most half full
    private int size;

    int intern(String name) {
        int slot = slot(name);
        if (slots[slot] != 0) {
            return slots[slot] - 1;
        }
        if (size == names.length) {
            names = Arrays.copyOf(names, size * 2);
        }
        names[size] = name;
        slots[slot] = ++size;
        if (size * 2 > slots.length) {
            grow();
        }
        return size - 1;
    }

    /** The number of a name, or -1. */
    int find(@Nullable String name) {
        return name == null ? -1 : slots[slot(name)] - 1;
    }

    String name(int id) {
        return names[id];
    }

    int size() {
        return size;
    }

    private int slot(String name) {
        int mask = slots.length - 1;
        int slot = (int) (Mix.mix(name.hashCode()) & mask);
        while (slots[slot] != 0 && !names[slots[slot] - 1].equals(name)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private void grow() {
        slots = new int[slots.length * 2];
        for (int id = 0; id < size; id++) {
            slots[slot(names[id])] = id + 1;
        }
    }
}
