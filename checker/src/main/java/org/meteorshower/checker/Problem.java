/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * A history, or a part of it, as a graph of what must come before what. Nodes below {@link #opNodes} are operations;
 * the others are helpers that stand for none and only keep the number of edges down.
 *
 * <p>Left out are operations that certainly took no effect, reads without an answer, and unknown writes that nobody
 * read: leaving such a write out of an order spoils no read, so it never decides. An unknown delete that some read of
 * null may have seen stays in as <em>optional</em>: it need not take effect, so nothing follows from its place until a
 * read is known to have seen it.
 */
final class Problem {
    /** {@link #readsFrom} of a read that saw the state before all writes of its key. */
    static final int INIT = -1;
    /** {@link #readsFrom} of a read of null that saw the initial state or one of the deletes. */
    static final int AMBIGUOUS = -2;
    /** {@link #readsFrom} of a write. */
    static final int NOT_A_READ = -3;
    /** No node. */
    static final int NONE = -1;

    final History history;
    final int opNodes;
    int nodes;
    final Edges edges = new Edges();

    /** Per operation node: its index in the history, ascending. */
    final int[] op;
    /** Per operation node: its key, numbered from 0 within this problem. */
    final int[] key;
    /** Per operation node: the write a read saw. */
    final int[] readsFrom;
    /** Unknown deletes that need not take effect. */
    final BitSet optional = new BitSet();

    /** Chains cover the nodes; each is ordered as a whole. Sessions come first, then a chain for each unknown write. */
    final int[] chain;
    /** Per operation node: its place in its chain, from 0. */
    final int[] place;

    int chains;
    int sessionChains;

    final int keys;
    /** Writes by key, then by chain, then by place: those of key k from {@code writeOffset[k]}. */
    final int[] writes;

    final int[] writeOffset;
    /** Keys whose write order or reads of null the edges do not settle. */
    final BitSet loose = new BitSet();
    /** Those of them whose write order is not known as a whole; the others are loose only for their reads of null. */
    final BitSet unordered = new BitSet();
    /** Per write of a key that is not unordered: the next write that certainly took effect, or NONE. */
    final int[] nextWrite;
    /** Per key: the helper between reads of the initial state and all writes, or NONE. */
    final int[] hub;

    Problem(History history, int[] op, int[] key, int keys, int[] writes, int[] writeOffset) {
        this.history = history;
        this.op = op;
        this.key = key;
        this.keys = keys;
        this.writes = writes;
        this.writeOffset = writeOffset;
        opNodes = op.length;
        nodes = opNodes;
        readsFrom = new int[opNodes];
        chain = new int[opNodes];
        place = new int[opNodes];
        hub = new int[keys];
        nextWrite = new int[opNodes];
        Arrays.fill(nextWrite, NONE);
    }

    /** Adds the indexes of the operations among these nodes. */
    void addOperations(int[] among, List<Integer> operations) {
        for (int node : among) {
            if (!isHelper(node)) {
                operations.add(op[node]);
            }
        }
    }

    boolean isHelper(int node) {
        return node >= opNodes;
    }

    boolean isWrite(int node) {
        return readsFrom[node] == NOT_A_READ;
    }

    boolean isDelete(int node) {
        return history.isDelete(op[node]);
    }

    boolean hasVersion(int node) {
        return history.version(op[node]) != Operation.NO_VERSION;
    }

    long version(int node) {
        return history.version(op[node]);
    }

    /** Whether both versions are known and say that the first write comes before the second. */
    boolean versionBefore(int first, int second) {
        return hasVersion(first) && hasVersion(second) && version(first) < version(second);
    }
}
