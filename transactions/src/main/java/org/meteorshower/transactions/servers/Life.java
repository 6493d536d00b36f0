/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

/**
 * Of a range's server. What it says of how far it is counts in its own life only, and a younger life makes all older
 * ones worth nothing.
 *
 * @param assignment the number of the last one that its node knows: one before may have made another node serve
 * @param process of that node, larger with each start: it may serve again by the same assignment, and knows nothing
 * @param begun so often it has begun anew since
 */
public record Life(long assignment, long process, long begun) implements Comparable<Life> {
    static final Life NONE = new Life(-1, 0, 0);

    @Override
    public int compareTo(Life other) {
        int byAssignment = Long.compare(assignment, other.assignment);
        int byProcess = Long.compare(process, other.process);
        return byAssignment != 0 ? byAssignment : byProcess != 0 ? byProcess : Long.compare(begun, other.begun);
    }

    Life in(long number) {
        return new Life(number, process, begun);
    }

    Life begunAnew() {
        return new Life(assignment, process, begun + 1);
    }
}
