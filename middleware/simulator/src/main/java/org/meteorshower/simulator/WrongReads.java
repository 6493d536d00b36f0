/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.Counterexample;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryBuilder;
import org.meteorshower.checker.Operation;
import org.meteorshower.checker.SequentialChecker;

/**
 * How many reads of a history are wrong at least: as many must be taken out before a sequential order exists.
 *
 * <p>The checker names a few operations that no order can hold; of these at least one read must go. All of them are
 * taken out, and the rest is checked again. No read is in two of the findings, so there are at least as many wrong
 * reads as findings.
 */
final class WrongReads {
    private WrongReads() {}

    /** Bounded by the number of reads; 0 where the history is right or the checker gives up. */
    static int atLeast(List<Operation> operations) {
        List<Operation> left = new ArrayList<>(operations);
        int findings = 0;
        Counterexample found = findingIn(left);
        while (found != null) {
            findings++;
            Set<Integer> reads = new HashSet<>();
            for (int index : found.operations()) {
                if (left.get(index).type() == Operation.Type.READ) {
                    reads.add(index);
                }
            }
            if (reads.isEmpty()) {
                throw new IllegalStateException("writes alone have an order: " + found);
            }
            List<Operation> rest = new ArrayList<>();
            for (int index = 0; index < left.size(); index++) {
                if (!reads.contains(index)) {
                    rest.add(left.get(index));
                }
            }
            left = rest;
            found = findingIn(left);
        }
        return findings;
    }

    private static @Nullable Counterexample findingIn(List<Operation> operations) {
        return SequentialChecker.check(historyOf(operations)).counterexample();
    }

    static History historyOf(List<Operation> operations) {
        HistoryBuilder history = History.builder();
        operations.forEach(history::add);
        return history.build();
    }
}
