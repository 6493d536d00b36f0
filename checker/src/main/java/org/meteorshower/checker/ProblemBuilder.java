/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.Arrays;
import java.util.BitSet;

/** Builds problems over parts of one history; keeps its tables between builds, so not thread-safe. */
final class ProblemBuilder {
    private final History history;
    private final boolean realTime;
    private final int[] nodeOf; // per operation of the history
    private final int[] keyOf; // per key of the history: its number in the problem
    private final int[] chainOf; // per session
    private final int[] lastOf; // per session: its last node that is done for certain
    private final BitSet wasRead = new BitSet(); // operations of the history
    private final BitSet nullRead = new BitSet(); // keys of the history

    /** @param realTime whether an operation that ended before another started comes before it */
    ProblemBuilder(History history, boolean realTime) {
        this.history = history;
        this.realTime = realTime;
        nodeOf = new int[history.size()];
        keyOf = new int[history.keyCount()];
        chainOf = new int[history.sessionCount()];
        lastOf = new int[history.sessionCount()];
        Arrays.fill(keyOf, Problem.NONE);
    }

    /**
     * The problem of these operations, ascending. With a read its write must be among them, and with a read of null all
     * deletes of its key.
     */
    Problem build(int[] ops) {
        markRead(ops);
        int[] included = included(ops);
        int[] key = new int[included.length];
        int keys = 0;
        for (int node = 0; node < included.length; node++) {
            int historyKey = history.key(included[node]);
            if (keyOf[historyKey] == Problem.NONE) {
                keyOf[historyKey] = keys++;
            }
            key[node] = keyOf[historyKey];
            nodeOf[included[node]] = node;
        }
        int[] writeOffset = new int[keys + 1];
        for (int node = 0; node < included.length; node++) {
            if (history.isWrite(included[node])) {
                writeOffset[key[node] + 1]++;
            }
        }
        for (int k = 0; k < keys; k++) {
            writeOffset[k + 1] += writeOffset[k];
        }
        Problem problem = new Problem(history, included, key, keys, new int[writeOffset[keys]], writeOffset);
        sessionOrder(problem);
        groupWrites(problem);
        readsFrom(problem);
        WriteOrder.addTo(problem);
        if (realTime) {
            RealTime.addTo(problem);
        }
        forget(ops);
        return problem;
    }

    private void markRead(int[] ops) {
        for (int op : ops) {
            if (!history.isWrite(op) && history.status(op) == Operation.Status.OK) {
                int writer = history.writerOf(op);
                if (writer >= 0) {
                    wasRead.set(writer);
                } else {
                    nullRead.set(history.key(op));
                }
            }
        }
    }

    private int[] included(int[] ops) {
        int[] included = new int[ops.length];
        int size = 0;
        for (int op : ops) {
            boolean include =
                    switch (history.status(op)) {
                        case OK -> true;
                        case FAIL -> false;
                        case UNKNOWN ->
                            history.isDelete(op)
                                    ? nullRead.get(history.key(op))
                                    : history.isWrite(op) && wasRead.get(op);
                    };
            if (include) {
                included[size++] = op;
            }
        }
        return size == ops.length ? ops : Arrays.copyOf(included, size);
    }

    private void sessionOrder(Problem p) {
        for (int op : p.op) {
            chainOf[history.session(op)] = Problem.NONE;
            lastOf[history.session(op)] = Problem.NONE;
        }
        for (int node = 0; node < p.opNodes; node++) {
            int session = history.session(p.op[node]);
            boolean done = history.status(p.op[node]) == Operation.Status.OK;
            if (lastOf[session] != Problem.NONE) {
                p.edges.add(lastOf[session], node, Reason.SESSION_ORDER, Edges.NO_VIA);
            }
            if (done) {
                if (chainOf[session] == Problem.NONE) {
                    chainOf[session] = p.chains++;
                }
                p.chain[node] = chainOf[session];
                p.place[node] = lastOf[session] == Problem.NONE ? 0 : p.place[lastOf[session]] + 1;
                lastOf[session] = node;
            }
        }
        p.sessionChains = p.chains;
        for (int node = 0; node < p.opNodes; node++) {
            if (history.status(p.op[node]) == Operation.Status.UNKNOWN) {
                p.chain[node] = p.chains++;
                p.optional.set(node, history.isDelete(p.op[node]));
            }
        }
    }

    private void groupWrites(Problem p) {
        int[] next = p.writeOffset.clone();
        for (int node : nodesByChain(p)) {
            if (history.isWrite(p.op[node])) {
                p.writes[next[p.key[node]]++] = node;
            }
        }
    }

    private static int[] nodesByChain(Problem p) {
        int[] next = new int[p.chains + 1];
        for (int chain : p.chain) {
            next[chain + 1]++;
        }
        for (int chain = 0; chain < p.chains; chain++) {
            next[chain + 1] += next[chain];
        }
        int[] nodes = new int[p.opNodes];
        for (int node = 0; node < p.opNodes; node++) {
            nodes[next[p.chain[node]]++] = node;
        }
        return nodes;
    }

    private void readsFrom(Problem p) {
        BitSet deleted = new BitSet();
        for (int write : p.writes) {
            if (p.history.isDelete(p.op[write])) {
                deleted.set(p.key[write]);
            }
        }
        for (int node = 0; node < p.opNodes; node++) {
            int op = p.op[node];
            if (history.isWrite(op)) {
                p.readsFrom[node] = Problem.NOT_A_READ;
            } else if (history.value(op) != History.NULL_VALUE) {
                p.readsFrom[node] = nodeOf[history.writerOf(op)];
                p.edges.add(p.readsFrom[node], node, Reason.READS_FROM, Edges.NO_VIA);
            } else {
                p.readsFrom[node] = deleted.get(p.key[node]) ? Problem.AMBIGUOUS : Problem.INIT;
            }
        }
    }

    private void forget(int[] ops) {
        for (int op : ops) {
            keyOf[history.key(op)] = Problem.NONE;
            nullRead.clear(history.key(op));
            int writer = history.isWrite(op) ? Problem.NONE : history.writerOf(op);
            if (writer >= 0) {
                wasRead.clear(writer);
            }
        }
    }
}
