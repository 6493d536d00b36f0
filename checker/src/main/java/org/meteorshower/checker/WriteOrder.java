/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.Arrays;

/**
 * Adds what is known at once of the order of each key's writes: by version, and after the reads of the initial state.
 * Keys that this settles need nothing else; the others are marked loose.
 *
 * <p>Last-write-wins makes the version order the order of the writes: a write that reaches the store after one of a
 * larger version is never seen, as if it had come just before it. Equal versions are left unordered.
 */
final class WriteOrder {
    private final Problem problem;
    private final boolean[] ambiguous; // per key: has reads of null and deletes
    private final boolean[] nullRead; // per key

    private WriteOrder(Problem problem) {
        this.problem = problem;
        ambiguous = new boolean[problem.keys];
        nullRead = new boolean[problem.keys];
    }

    static void addTo(Problem problem) {
        new WriteOrder(problem).add();
    }

    private void add() {
        for (int node = 0; node < problem.opNodes; node++) {
            int from = problem.readsFrom[node];
            ambiguous[problem.key[node]] |= from == Problem.AMBIGUOUS;
            nullRead[problem.key[node]] |= from == Problem.AMBIGUOUS || from == Problem.INIT;
        }
        int[] firstWrite = new int[problem.keys];
        for (int key = 0; key < problem.keys; key++) {
            int[] writes = Arrays.copyOfRange(problem.writes, problem.writeOffset[key], problem.writeOffset[key + 1]);
            problem.hub[key] = Problem.NONE;
            orderByVersion(sortedVersioned(writes));
            int[] certain = Arrays.stream(writes)
                    .filter(write -> !problem.optional.get(write))
                    .toArray();
            IndexSort.sort(certain, problem::version);
            firstWrite[key] = certain.length == 0 ? Problem.NONE : certain[0];
            problem.unordered.set(key, !ordered(certain));
            if (problem.unordered.get(key) || ambiguous[key]) {
                problem.loose.set(key);
                addHub(key, writes);
            }
            for (int i = 1; i < certain.length && !problem.unordered.get(key); i++) {
                problem.nextWrite[certain[i - 1]] = certain[i];
            }
        }
        addFromReads(firstWrite);
    }

    private int[] sortedVersioned(int[] writes) {
        int[] versioned = Arrays.stream(writes).filter(problem::hasVersion).toArray();
        IndexSort.sort(versioned, problem::version);
        return versioned;
    }

    private boolean ordered(int[] certain) {
        for (int i = 1; i < certain.length; i++) {
            if (!problem.versionBefore(certain[i - 1], certain[i])) {
                return false;
            }
        }
        return true;
    }

    /** Each group of equal versions before the next; optional writes after their predecessors only. */
    private void orderByVersion(int[] sorted) {
        int groupStart = 0;
        int before = Problem.NONE; // a write, or a helper after a group of several
        while (groupStart < sorted.length) {
            int groupEnd = groupStart;
            int certain = 0;
            int last = Problem.NONE;
            while (groupEnd < sorted.length
                    && problem.version(sorted[groupEnd]) == problem.version(sorted[groupStart])) {
                int write = sorted[groupEnd++];
                if (before != Problem.NONE) {
                    problem.edges.add(before, write, Reason.VERSION_ORDER, Edges.NO_VIA);
                }
                if (!problem.optional.get(write)) {
                    certain++;
                    last = write;
                }
            }
            if (certain == 1) {
                before = last;
            } else if (certain > 1) {
                before = joined(sorted, groupStart, groupEnd);
            }
            groupStart = groupEnd;
        }
    }

    private int joined(int[] sorted, int from, int to) {
        int helper = problem.nodes++;
        for (int i = from; i < to; i++) {
            if (!problem.optional.get(sorted[i])) {
                problem.edges.add(sorted[i], helper, Reason.VERSION_ORDER, Edges.NO_VIA);
            }
        }
        return helper;
    }

    private void addHub(int key, int[] writes) {
        if (nullRead[key]) {
            problem.hub[key] = problem.nodes++;
            for (int write : writes) {
                problem.edges.add(problem.hub[key], write, Reason.FROM_READ, Edges.NO_VIA);
            }
        }
    }

    private void addFromReads(int[] firstWrite) {
        for (int read = 0; read < problem.opNodes; read++) {
            int from = problem.readsFrom[read];
            int key = problem.key[read];
            if (from == Problem.INIT && problem.loose.get(key)) {
                problem.edges.add(read, problem.hub[key], Reason.FROM_READ, Edges.NO_VIA);
            } else if (from == Problem.INIT && firstWrite[key] != Problem.NONE) {
                problem.edges.add(read, firstWrite[key], Reason.FROM_READ, Edges.NO_VIA);
            } else if (from >= 0 && problem.nextWrite[from] != Problem.NONE) {
                problem.edges.add(read, problem.nextWrite[from], Reason.FROM_READ, from);
            }
        }
    }
}
