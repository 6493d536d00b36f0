/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks linearizability (Herlihy and Wing 1990) key by key, which by its locality is that of the whole: each key's
 * operations fit one order in which reads return the latest write and an operation that ended before another started
 * comes first. Takes for granted that all times come from one clock, or from clocks that differ by less than the
 * shortest pause between operations that matter. Deterministic; uses no thread but the caller's.
 */
public final class LinearizableChecker {
    private LinearizableChecker() {}

    /** Checks with {@link CheckLimits#DEFAULT}. */
    public static Verdict check(History history) {
        return check(history, CheckLimits.DEFAULT);
    }

    /** Checks within limits, which hold for each key; UNDECIDED where they end a search and no key is violated. */
    public static Verdict check(History history, CheckLimits limits) {
        @Nullable Counterexample unwritten = ValueSource.check(history);
        if (unwritten != null) {
            return Verdict.violation(Model.LINEARIZABLE, unwritten);
        }
        ProblemBuilder builder = new ProblemBuilder(history, true);
        int[] offsets = history.keyOffsets();
        int[] ops = history.byKey(offsets);
        int undecided = 0;
        for (int key = 0; key < history.keyCount(); key++) {
            int[] own = Arrays.copyOfRange(ops, offsets[key], offsets[key + 1]);
            Finding finding = Engine.run(builder.build(own), limits);
            if (finding.isViolation()) {
                return Verdict.violation(Model.LINEARIZABLE, ViolationReport.of(finding, history, builder, limits));
            }
            undecided += finding.kind() == Finding.Kind.UNDECIDED ? 1 : 0;
        }
        return undecided == 0
                ? Verdict.consistent(Model.LINEARIZABLE, "every key has an order that keeps real time")
                : Verdict.undecided(
                        Model.LINEARIZABLE,
                        undecided + " of " + history.keyCount() + " keys: no order was found within "
                                + limits.searchSteps() + " steps of search");
    }

    /**
     * An order of each key's operations that shows the history to be linearizable, for others to look at: operations by
     * their indexes, one key after the other. What need not have happened may be missing. Of a key of which no order
     * was found within the limits there is nothing.
     */
    public static List<Integer> order(History history, CheckLimits limits) {
        List<Integer> operations = new ArrayList<>();
        if (ValueSource.check(history) == null) {
            ProblemBuilder builder = new ProblemBuilder(history, true);
            int[] offsets = history.keyOffsets();
            int[] ops = history.byKey(offsets);
            for (int key = 0; key < history.keyCount(); key++) {
                Problem problem = builder.build(Arrays.copyOfRange(ops, offsets[key], offsets[key + 1]));
                Engine.run(problem, limits, order -> problem.addOperations(order, operations));
            }
        }
        return operations;
    }
}
