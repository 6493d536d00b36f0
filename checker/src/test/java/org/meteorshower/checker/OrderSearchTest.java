/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The parts of the engine on their own, without what the others find out first, against the oracle. */
class OrderSearchTest {
    private static final int HISTORIES = Integer.getInteger("checker.histories", 20_000);
    private static final long FIRST_SEED = Long.getLong("checker.seed", 1);

    @Test
    void searchAloneDecidesWithoutAnyConclusionDrawnBefore() {
        int refuted = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            List<Operation> ops = RandomHistory.of(seed);
            History history = RandomHistory.history(ops);
            if (ValueSource.check(history) != null) {
                continue;
            }
            Problem problem = problem(history);
            Graph graph = new Graph(problem.edges, problem.nodes);
            if (graph.topologicalOrder().length < graph.nodes) {
                continue;
            }
            OrderSearch.Result result =
                    OrderSearch.run(problem, graph, new WriteRanks(problem), 1_000_000, found -> {});
            refuted += result == OrderSearch.Result.NONE ? 1 : 0;
            assertThat(result == OrderSearch.Result.FOUND)
                    .as("replay with -Dchecker.seed=%d -Dchecker.histories=1", seed)
                    .isEqualTo(Oracle.sequential(ops));
        }
        assertThat(refuted).isGreaterThanOrEqualTo(HISTORIES / 100);
    }

    @Test
    void guidedRunFindsNoOrderWhereThereIsNoneAndMostOthers() {
        int found = 0;
        int missed = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            List<Operation> ops = RandomHistory.of(seed);
            History history = RandomHistory.history(ops);
            if (ValueSource.check(history) != null) {
                continue;
            }
            Problem problem = problem(history);
            Graph graph = new Graph(problem.edges, problem.nodes);
            int[] order = graph.topologicalOrder();
            if (order.length < graph.nodes) {
                continue;
            }
            Closure closure = new Closure(problem);
            closure.compute(graph, order);
            boolean possible = Oracle.sequential(ops);
            if (GuidedRun.findsOrder(problem, graph, closure, new WriteRanks(problem), 1_000_000, run -> {})) {
                found++;
                assertThat(possible)
                        .as("replay with -Dchecker.seed=%d -Dchecker.histories=1", seed)
                        .isTrue();
            } else if (possible) {
                missed++;
            }
        }
        assertThat(missed).isLessThanOrEqualTo(1 + found / 100);
    }

    private static Problem problem(History history) {
        return new ProblemBuilder(history, false)
                .build(IntStream.range(0, history.size()).toArray());
    }
}
