/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Checks sequential consistency (Lamport 1979; Attiya and Welch 1994): all operations fit one total order in which
 * every read returns the latest write of its key before it and every session keeps its program order. Times are not
 * looked at. Deterministic; uses no thread but the caller's.
 */
public final class SequentialChecker {
    private SequentialChecker() {}

    /** Checks with {@link CheckLimits#DEFAULT}. */
    public static Verdict check(History history) {
        return check(history, CheckLimits.DEFAULT);
    }

    /** Checks within limits; UNDECIDED where they end the search. */
    public static Verdict check(History history, CheckLimits limits) {
        @Nullable Counterexample unwritten = ValueSource.check(history);
        if (unwritten != null) {
            return Verdict.violation(Model.SEQUENTIAL, unwritten);
        }
        ProblemBuilder builder = new ProblemBuilder(history, false);
        int[] all = IntStream.range(0, history.size()).toArray();
        Finding finding = Engine.run(builder.build(all), limits);
        return switch (finding.kind()) {
            case CONSISTENT ->
                Verdict.consistent(
                        Model.SEQUENTIAL,
                        "one order holds all operations: reads see the latest write, sessions" + " keep their order");
            case UNDECIDED ->
                Verdict.undecided(
                        Model.SEQUENTIAL,
                        "nothing contradicts itself, but no order was found within " + limits.searchSteps()
                                + " steps of search; record the versions of the writes, or check a shorter history");
            case CYCLE, UNEXPLAINED_NULL, NO_ORDER ->
                Verdict.violation(Model.SEQUENTIAL, ViolationReport.of(finding, history, builder, limits));
        };
    }

    /**
     * An order that shows the history to be consistent, for others to look at: operations by their indexes. What need
     * not have happened may be missing. Empty where no order was found within the limits.
     */
    public static List<Integer> order(History history, CheckLimits limits) {
        List<Integer> operations = new ArrayList<>();
        if (ValueSource.check(history) == null) {
            ProblemBuilder builder = new ProblemBuilder(history, false);
            int[] all = IntStream.range(0, history.size()).toArray();
            Problem problem = builder.build(all);
            Engine.run(problem, limits, order -> problem.addOperations(order, operations));
        }
        return operations;
    }
}
