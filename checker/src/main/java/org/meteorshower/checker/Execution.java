/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.Arrays;

/**
 * A store being driven through a problem's operations, one at a time, each after what must come before it; every step
 * can be undone. Reads happen as soon as they can, for a read changes nothing that could be missed later.
 */
final class Execution {
    private final Problem problem;
    private final Graph graph;
    private final int[] missing; // per node: predecessors not yet done
    private final int[] current; // per key: the last write done, or INIT
    private final long[] largestVersion; // per key: of the writes done
    private final int[] replaced; // per write done: current before it
    private final long[] replacedVersion; // per write done: largestVersion before it
    private final int[] pendingReads; // per write: reads of it not yet done
    private final int[] pendingInitial; // per key: reads of the initial state not yet done
    private final int[] pendingNull; // per key: undecided reads of null not yet done
    private final int[] pendingDeletes; // per key: deletes not yet done
    private final boolean[] hasOptional; // per key
    private final NodeSet readyWrites;
    private final NodeSet readyNullReads;
    private final int[] trail; // nodes done, in order
    private final int[] position; // per node: where it stands in the trail, or NONE
    private int trailSize;
    private int[] instant = new int[64]; // nodes to be done at once
    private int instantSize;
    private int mandatoryLeft;
    private int[] required = {}; // pairs added by require: before, after, next pair of the same before
    private int requiredSize;
    private final int[] firstRequired; // per operation: its first pair, or NONE
    private long steps;
    private long firstHash;
    private long secondHash;

    Execution(Problem problem, Graph graph) {
        this.problem = problem;
        this.graph = graph;
        missing = graph.inDegrees();
        current = new int[problem.keys];
        Arrays.fill(current, Problem.INIT);
        largestVersion = new long[problem.keys];
        Arrays.fill(largestVersion, Operation.NO_VERSION);
        replaced = new int[problem.opNodes];
        replacedVersion = new long[problem.opNodes];
        pendingReads = new int[problem.opNodes];
        pendingInitial = new int[problem.keys];
        pendingNull = new int[problem.keys];
        pendingDeletes = new int[problem.keys];
        hasOptional = new boolean[problem.keys];
        readyWrites = new NodeSet(problem.opNodes);
        readyNullReads = new NodeSet(problem.opNodes);
        trail = new int[graph.nodes];
        position = new int[graph.nodes];
        Arrays.fill(position, Problem.NONE);
        firstRequired = new int[problem.opNodes];
        Arrays.fill(firstRequired, Problem.NONE);
        for (int node = 0; node < problem.opNodes; node++) {
            count(node, 1);
            hasOptional[problem.key[node]] |= problem.optional.get(node);
        }
        for (int node = 0; node < graph.nodes; node++) {
            if (missing[node] == 0) {
                ready(node);
            }
        }
        finishInstant();
    }

    boolean complete() {
        return mandatoryLeft == 0;
    }

    /** What is done, in order. */
    int[] order() {
        return Arrays.copyOf(trail, trailSize);
    }

    int trailSize() {
        return trailSize;
    }

    /** Operations done so far, undone ones included. */
    long steps() {
        return steps;
    }

    long firstHash() {
        return firstHash;
    }

    long secondHash() {
        return secondHash;
    }

    NodeSet readyWrites() {
        return readyWrites;
    }

    /** Whether a ready write may be done now without robbing a read of the value it saw. */
    boolean allowed(int write) {
        int key = problem.key[write];
        int before = current[key];
        if ((before == Problem.INIT ? pendingInitial[key] : pendingReads[before]) > 0) {
            return false;
        }
        boolean isNull = isNull(before);
        if (problem.optional.get(write)) {
            boolean late = problem.hasVersion(write) && largestVersion[key] > problem.version(write);
            return !late && !isNull && pendingNull[key] > 0;
        }
        return !isNull || pendingNull[key] == 0 || problem.isDelete(write) || pendingDeletes[key] > 0;
    }

    /**
     * Does a write and all reads that it enables. True if no other choice could have been better: whatever order
     * completes the operations without it, moving it here completes them too.
     */
    boolean perform(int write) {
        int key = problem.key[write];
        boolean overNull = isNull(current[key]);
        readyWrites.remove(write);
        run(write);
        finishInstant();
        boolean harmsNullReads = pendingNull[key] > 0 && (overNull || problem.isDelete(write) || hasOptional[key]);
        return pendingReads[write] == 0 && !harmsNullReads && !problem.optional.get(write);
    }

    /** Undoes everything past a trail size seen before. */
    void undoTo(int size) {
        while (trailSize > size) {
            undo(trail[--trailSize]);
        }
    }

    /** From now on the one operation must be done before the other; neither may be done yet. */
    void require(int before, int after) {
        if (requiredSize + 3 > required.length) {
            required = Arrays.copyOf(required, required.length * 2 + 48);
        }
        required[requiredSize] = before;
        required[requiredSize + 1] = after;
        required[requiredSize + 2] = firstRequired[before];
        firstRequired[before] = requiredSize;
        requiredSize += 3;
        withhold(after);
    }

    /** An operation that this one must wait for by {@link #require} and that is not done, or NONE. */
    int requiredBefore(int after) {
        for (int pair = 0; pair < requiredSize; pair += 3) {
            if (required[pair + 1] == after && position[required[pair]] == Problem.NONE) {
                return required[pair];
            }
        }
        return Problem.NONE;
    }

    boolean isDone(int node) {
        return position[node] != Problem.NONE;
    }

    /** Trail size just before a node was done. */
    int position(int node) {
        return position[node];
    }

    /** Whether a node waits for no other, only for the store to be in the right state. */
    boolean isReady(int node) {
        return missing[node] == 0;
    }

    /** The last write done to a key, or INIT. */
    int current(int key) {
        return current[key];
    }

    int pendingReads(int write) {
        return pendingReads[write];
    }

    /** The last write done to a key that put a value where none was; the key must have a value. */
    int lastOverNull(int key) {
        int write = current[key];
        while (!isNull(replaced[write])) {
            write = replaced[write];
        }
        return write;
    }

    NodeSet readyNullReads() {
        return readyNullReads;
    }

    private boolean isNull(int write) {
        return write == Problem.INIT || problem.isDelete(write);
    }

    private void finishInstant() {
        while (instantSize > 0) {
            run(instant[--instantSize]);
        }
    }

    private void run(int node) {
        position[node] = trailSize;
        trail[trailSize++] = node;
        steps++;
        if (!problem.isHelper(node)) {
            count(node, -1);
            mix(node, 0);
            if (problem.isWrite(node)) {
                store(node);
            }
        }
        for (int i = graph.offset[node]; i < graph.offset[node + 1]; i++) {
            int next = graph.target(i);
            release(next);
        }
        for (int pair = firstRequired(node); pair != Problem.NONE; pair = required[pair + 2]) {
            release(required[pair + 1]);
        }
    }

    private void release(int next) {
        if (--missing[next] == 0) {
            ready(next);
        }
    }

    private int firstRequired(int node) {
        return problem.isHelper(node) ? Problem.NONE : firstRequired[node];
    }

    private void store(int write) {
        int key = problem.key[write];
        replaced[write] = current[key];
        replacedVersion[write] = largestVersion[key];
        setCurrent(key, write);
        if (problem.hasVersion(write)) {
            largestVersion[key] = Math.max(largestVersion[key], problem.version(write));
        }
        if (problem.isDelete(write)) {
            for (int i = readyNullReads.size() - 1; i >= 0; i--) {
                int read = readyNullReads.get(i);
                if (problem.key[read] == key) {
                    readyNullReads.remove(read);
                    pushInstant(read);
                }
            }
        }
    }

    private void ready(int node) {
        if (problem.isHelper(node)) {
            pushInstant(node);
        } else if (problem.isWrite(node)) {
            readyWrites.add(node);
        } else if (problem.readsFrom[node] == Problem.AMBIGUOUS && !isNull(current[problem.key[node]])) {
            readyNullReads.add(node);
        } else {
            pushInstant(node);
        }
    }

    private void pushInstant(int node) {
        if (instantSize == instant.length) {
            instant = Arrays.copyOf(instant, instantSize * 2);
        }
        instant[instantSize++] = node;
    }

    private void withhold(int next) {
        if (missing[next]++ == 0 && !problem.isHelper(next) && !readyWrites.remove(next)) {
            readyNullReads.remove(next);
        }
    }

    private void undo(int node) {
        position[node] = Problem.NONE;
        for (int i = graph.offset[node]; i < graph.offset[node + 1]; i++) {
            withhold(graph.target(i));
        }
        for (int pair = firstRequired(node); pair != Problem.NONE; pair = required[pair + 2]) {
            withhold(required[pair + 1]);
        }
        if (problem.isHelper(node)) {
            return;
        }
        count(node, 1);
        mix(node, 0);
        if (problem.isWrite(node)) {
            setCurrent(problem.key[node], replaced[node]);
            largestVersion[problem.key[node]] = replacedVersion[node];
            readyWrites.add(node);
        } else if (problem.readsFrom[node] == Problem.AMBIGUOUS) {
            readyNullReads.add(node);
        }
    }

    private void count(int node, int change) {
        int key = problem.key[node];
        int from = problem.readsFrom[node];
        if (from >= 0) {
            pendingReads[from] += change;
        } else if (from == Problem.INIT) {
            pendingInitial[key] += change;
        } else if (from == Problem.AMBIGUOUS) {
            pendingNull[key] += change;
        } else if (problem.isDelete(node)) {
            pendingDeletes[key] += change;
        }
        if (!problem.optional.get(node)) {
            mandatoryLeft += change;
        }
    }

    private void setCurrent(int key, int write) {
        if (current[key] >= 0) {
            mix(current[key], 1);
        }
        current[key] = write;
        if (write >= 0) {
            mix(write, 1);
        }
    }

    private void mix(int node, int purpose) {
        long once = Mix.mix((long) node << 1 | purpose);
        firstHash ^= once;
        secondHash ^= Mix.mix(once ^ 0x5bf03635f0a31d17L);
    }
}
