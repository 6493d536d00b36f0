/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker.transactions;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.transactions.RecordedTransaction.Status;

/** The checker says what trying every order says, for thousands of small histories, half of them spoilt. */
class IsolationOracleTest {
    private static final int HISTORIES = 6_000;

    @Test
    void theCheckerAgreesWithEveryOrder() {
        int consistent = 0;
        int violations = 0;
        for (int seed = 0; seed < HISTORIES; seed++) {
            List<RecordedTransaction> history = draw(new SplittableRandom(seed));
            for (IsolationModel model : IsolationModel.values()) {
                boolean expected =
                        someOrderFits(history, model == IsolationModel.STRICT_SERIALIZABLE, new ArrayList<>());
                IsolationVerdict verdict = IsolationChecker.check(history, model);
                assertThat(verdict.outcome() == Outcome.CONSISTENT)
                        .as("seed %d, %s: %s", seed, history, verdict.report())
                        .isEqualTo(expected);
                consistent += expected ? 1 : 0;
                violations += expected ? 0 : 1;
            }
        }
        assertThat(consistent).isGreaterThan(HISTORIES / 4);
        assertThat(violations).isGreaterThan(HISTORIES / 4);
    }

    /** Up to six transactions on two lists, run one after another; then some read is spoilt, or some times are. */
    private static List<RecordedTransaction> draw(SplittableRandom random) {
        Map<String, List<String>> state = new HashMap<>();
        List<RecordedTransaction> history = new ArrayList<>();
        int count = 2 + random.nextInt(4);
        int value = 0;
        for (int i = 0; i < count; i++) {
            List<RecordedTransaction.Step> steps = new ArrayList<>();
            Status status = random.nextInt(6) > 0 ? Status.OK : random.nextBoolean() ? Status.UNKNOWN : Status.FAIL;
            boolean happens = status == Status.OK || (status == Status.UNKNOWN && random.nextBoolean());
            Map<String, List<String>> seen = new HashMap<>();
            state.forEach((list, values) -> seen.put(list, new ArrayList<>(values)));
            for (int step = 1 + random.nextInt(3); step > 0; step--) {
                String list = random.nextBoolean() ? "x" : "y";
                List<String> values = seen.computeIfAbsent(list, l -> new ArrayList<>());
                if (random.nextBoolean()) {
                    values.add("" + ++value);
                    steps.add(new RecordedTransaction.Append(list, "" + value));
                } else {
                    steps.add(new RecordedTransaction.Read(list, status == Status.OK ? spoilt(values, random) : null));
                }
            }
            if (happens) {
                state.putAll(seen);
            }
            long start = 10L * i - random.nextInt(40);
            history.add(new RecordedTransaction("s" + i, steps, start, start + 1 + random.nextInt(30), status));
        }
        return history;
    }

    private static List<String> spoilt(List<String> values, SplittableRandom random) {
        List<String> copy = new ArrayList<>(values);
        if (!copy.isEmpty() && random.nextInt(6) == 0) {
            copy.remove(random.nextInt(copy.size()));
        }
        return copy;
    }

    private static boolean someOrderFits(List<RecordedTransaction> history, boolean strict, List<Integer> order) {
        boolean complete = true;
        for (int i = 0; i < history.size(); i++) {
            complete &= order.contains(i) || history.get(i).status() != Status.OK;
        }
        if (complete) {
            return true;
        }
        for (int i = 0; i < history.size(); i++) {
            if (!order.contains(i)
                    && history.get(i).status() != Status.FAIL
                    && (!strict || mayComeNext(history, order, i))) {
                order.add(i);
                boolean fits = explains(history, order) && someOrderFits(history, strict, order);
                order.remove(order.size() - 1);
                if (fits) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Nothing that is not placed yet, and must be, ended before it began. */
    private static boolean mayComeNext(List<RecordedTransaction> history, List<Integer> order, int next) {
        for (int i = 0; i < history.size(); i++) {
            if (i != next
                    && !order.contains(i)
                    && history.get(i).status() == Status.OK
                    && history.get(i).endNanos() < history.get(next).startNanos()) {
                return false;
            }
        }
        return true;
    }

    private static boolean explains(List<RecordedTransaction> history, List<Integer> order) {
        Map<String, List<String>> state = new HashMap<>();
        for (int i : order) {
            for (RecordedTransaction.Step step : history.get(i).steps()) {
                List<String> values = state.computeIfAbsent(step.list(), l -> new ArrayList<>());
                if (step instanceof RecordedTransaction.Append append) {
                    values.add(append.value());
                } else if (step instanceof RecordedTransaction.Read read
                        && read.values() != null
                        && !read.values().equals(values)) {
                    return false;
                }
            }
        }
        return true;
    }
}
