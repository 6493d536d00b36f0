/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.Arrays;

/** The states that are so many events away from the start, each once, with how they are reached. */
final class Layer {
    private static final int EMPTY = -1;

    private int[][] states = new int[1_024][];
    private int[] parents = new int[1_024];
    private int[] moves = new int[1_024];
    private double[] schedules = new double[1_024];
    private int[] table = new int[4_096];
    private int size;

    Layer() {
        Arrays.fill(table, EMPTY);
    }

    int size() {
        return size;
    }

    int[] state(int index) {
        return states[index];
    }

    int parent(int index) {
        return parents[index];
    }

    int move(int index) {
        return moves[index];
    }

    /** How many schedules lead to this state. */
    double schedules(int index) {
        return schedules[index];
    }

    /** Adds a way to a state: the state too, if it is new. */
    void add(int[] state, int parent, int move, double ways) {
        int slot = slot(state);
        int index = table[slot];
        if (index != EMPTY) {
            schedules[index] += ways;
            return;
        }
        if (size == states.length) {
            grow();
        }
        table[slot] = size;
        states[size] = state;
        parents[size] = parent;
        moves[size] = move;
        schedules[size] = ways;
        size++;
        if (size > table.length / 2) {
            rehash();
        }
    }

    private int slot(int[] state) {
        int mask = table.length - 1;
        int slot = spread(Arrays.hashCode(state)) & mask;
        while (table[slot] != EMPTY && !Arrays.equals(states[table[slot]], state)) {
            slot = (slot + 1) & mask;
        }
        return slot;
    }

    private static int spread(int hash) {
        int mixed = hash * 0x9e3779b9;
        return mixed ^ mixed >>> 15;
    }

    private void grow() {
        int more = size + size / 2;
        states = Arrays.copyOf(states, more);
        parents = Arrays.copyOf(parents, more);
        moves = Arrays.copyOf(moves, more);
        schedules = Arrays.copyOf(schedules, more);
    }

    private void rehash() {
        table = new int[2 * table.length];
        Arrays.fill(table, EMPTY);
        for (int i = 0; i < size; i++) {
            table[slot(states[i])] = i;
        }
    }

    /** Keeps only what is needed to tell how its states were reached. */
    void forgetStates() {
        states = new int[0][];
        schedules = new double[0];
        table = new int[0];
        parents = Arrays.copyOf(parents, size);
        moves = Arrays.copyOf(moves, size);
    }
}
