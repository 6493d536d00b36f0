/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.List;

/**
 * The few operations of a history that no order can hold. Immutable.
 *
 * @param summary one line that says what is wrong
 * @param operations their indexes in the history, in the order the report numbers them
 * @param steps a cycle of "must come before", if that is what is wrong; else empty
 */
public record Counterexample(String summary, List<Integer> operations, List<Step> steps) {
    public Counterexample {
        operations = List.copyOf(operations);
        steps = List.copyOf(steps);
    }

    /**
     * One operation must come before another.
     *
     * @param from index of the earlier operation
     * @param to index of the later operation
     * @param via index of a third operation that explains it, or -1: for OVERWRITTEN the read of {@code to} that comes
     *     after {@code from}, for FROM_READ the write that the read saw
     * @param proof why {@code from} comes before {@code via}, or {@code via} before {@code to}; empty where evident
     */
    public record Step(int from, int to, Reason reason, int via, List<Step> proof) {
        public Step {
            proof = List.copyOf(proof);
        }
    }
}
