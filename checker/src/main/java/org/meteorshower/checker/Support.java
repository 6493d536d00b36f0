/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.BitSet;
import java.util.List;

/**
 * The operations that a violation rests on, proofs of derived edges included: a small history that shows the same, cut
 * out of a large one.
 */
final class Support {
    private static final long WORK_LIMIT = 300_000_000L;

    private final Finding finding;
    private final Problem problem;
    private final PathFinder paths;
    private final BitSet nodes = new BitSet();
    private final BitSet explained = new BitSet(); // edges

    private Support(Finding finding) {
        this.finding = finding;
        problem = finding.problem();
        paths = new PathFinder(problem, finding.graph());
    }

    /** Indexes of the operations in the history, ascending; all of the problem's where no smaller set is at hand. */
    static int[] of(Finding finding) {
        Support support = new Support(finding);
        if (finding.kind() == Finding.Kind.CYCLE) {
            support.addAll(finding.cycle());
        } else if (finding.kind() == Finding.Kind.UNEXPLAINED_NULL) {
            support.addNullRead(finding.read(), Integer.MAX_VALUE);
        } else {
            return finding.problem().op;
        }
        return support.paths.work() > WORK_LIMIT ? finding.problem().op : support.closed();
    }

    private void addAll(List<Hop> hops) {
        for (Hop hop : hops) {
            add(hop);
        }
    }

    private void add(Hop hop) {
        nodes.set(hop.from());
        nodes.set(hop.to());
        if (hop.edge() < finding.evidentEdges() || explained.get(hop.edge()) || paths.work() > WORK_LIMIT) {
            return;
        }
        explained.set(hop.edge());
        switch (hop.reason()) {
            case OVERWRITTEN -> addPath(hop.from(), hop.via(), hop.edge());
            case FROM_READ -> {
                if (hop.via() != Edges.NO_VIA) {
                    addPath(hop.via(), hop.to(), hop.edge());
                }
            }
            case READS_FROM -> addNullRead(hop.to(), hop.edge());
            case SESSION_ORDER, VERSION_ORDER, REAL_TIME -> {}
        }
    }

    private void addPath(int from, int to, int edgeLimit) {
        nodes.set(from);
        nodes.set(to);
        if (from != to) {
            addAll(paths.find(from, to, edgeLimit, Integer.MAX_VALUE));
        }
    }

    /** Whatever rules out an explanation of a read of null stands between the writes of its key and the read. */
    private void addNullRead(int read, int edgeLimit) {
        nodes.set(read);
        int key = problem.key[read];
        for (int i = problem.writeOffset[key]; i < problem.writeOffset[key + 1]; i++) {
            int write = problem.writes[i];
            addPath(write, read, edgeLimit);
            if (problem.isDelete(write)) {
                addPath(read, write, edgeLimit);
                for (int j = problem.writeOffset[key]; j < problem.writeOffset[key + 1]; j++) {
                    if (i != j && paths.work() < WORK_LIMIT) {
                        addPath(write, problem.writes[j], edgeLimit);
                    }
                }
            }
        }
    }

    /** With each read its write, and with reads of null all deletes of their key. */
    private int[] closed() {
        BitSet nullKeys = new BitSet();
        for (int node = nodes.nextSetBit(0); node >= 0 && node < problem.opNodes; node = nodes.nextSetBit(node + 1)) {
            int op = problem.op[node];
            if (!problem.isWrite(node) && problem.history.value(op) == History.NULL_VALUE) {
                nullKeys.set(problem.key[node]);
            } else if (problem.readsFrom[node] >= 0) {
                nodes.set(problem.readsFrom[node]);
            }
        }
        for (int write : problem.writes) {
            if (problem.isDelete(write) && nullKeys.get(problem.key[write])) {
                nodes.set(write);
            }
        }
        return nodes.stream()
                .filter(node -> !problem.isHelper(node))
                .map(node -> problem.op[node])
                .toArray();
    }
}
