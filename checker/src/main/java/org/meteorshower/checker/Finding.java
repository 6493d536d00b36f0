/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.List;

/**
 * What the engine found out about a problem.
 *
 * @param graph all edges known in the end
 * @param evidentEdges edges numbered below this need no proof
 * @param cycle for CYCLE: the shortest found
 * @param read for UNEXPLAINED_NULL: the read, a node
 */
record Finding(Kind kind, Problem problem, Graph graph, int evidentEdges, List<Hop> cycle, int read) {
    enum Kind {
        CONSISTENT,
        CYCLE,
        UNEXPLAINED_NULL,
        NO_ORDER,
        UNDECIDED
    }

    boolean isViolation() {
        return kind != Kind.CONSISTENT && kind != Kind.UNDECIDED;
    }

    /** Whether the cycle explains itself. */
    boolean isEvident() {
        return kind == Kind.CYCLE && cycle.stream().allMatch(hop -> hop.edge() < evidentEdges);
    }
}
