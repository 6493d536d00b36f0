/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The checker and an oracle that tries every order say the same of random small histories. */
class OracleTest {
    private static final int HISTORIES = Integer.getInteger("checker.histories", 20_000);
    private static final long FIRST_SEED = Long.getLong("checker.seed", 1);

    private int consistent;
    private int violations;
    private int undecided;

    @Test
    void sequentialVerdictsAreTheOracles() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            List<Operation> ops = RandomHistory.of(seed);
            compare(Model.SEQUENTIAL, seed, ops, Oracle.sequential(ops));
        }
        assertMix();
    }

    @Test
    void linearizableVerdictsAreTheOracles() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES; seed++) {
            List<Operation> ops = RandomHistory.of(seed);
            compare(Model.LINEARIZABLE, seed, ops, Oracle.linearizable(ops));
        }
        assertMix();
    }

    /** A counterexample is itself a violation: the operations it names cannot be ordered, whatever else happened. */
    @Test
    void counterexamplesAreViolationsByThemselves() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES / 4; seed++) {
            List<Operation> ops = RandomHistory.of(seed);
            for (Model model : Model.values()) {
                Verdict verdict = model.check(history(ops));
                if (verdict.counterexample() != null) {
                    List<Operation> part = verdict.counterexample().operations().stream()
                            .sorted()
                            .map(ops::get)
                            .toList();
                    boolean possible = model == Model.SEQUENTIAL ? Oracle.sequential(part) : Oracle.linearizable(part);
                    assertThat(possible)
                            .as("seed %d, %s: %s", seed, model, CheckReport.of(history(ops), verdict, 0))
                            .isFalse();
                }
            }
        }
    }

    private void compare(Model model, long seed, List<Operation> ops, boolean possible) {
        Verdict verdict = model.check(history(ops));
        switch (verdict.outcome()) {
            case CONSISTENT -> consistent++;
            case VIOLATION -> violations++;
            default -> undecided++;
        }
        if (verdict.outcome() != Outcome.UNDECIDED) {
            assertThat(verdict.outcome() == Outcome.CONSISTENT)
                    .as("replay with -Dchecker.seed=%d -Dchecker.histories=1%n%s%n%s", seed, list(ops), verdict)
                    .isEqualTo(possible);
        }
    }

    private void assertMix() {
        System.out.printf("consistent %d, violations %d, undecided %d%n", consistent, violations, undecided);
        assertThat(undecided).isZero();
        assertThat(consistent).isGreaterThan(HISTORIES / 10);
        assertThat(violations).isGreaterThan(HISTORIES / 10);
    }

    private static String list(List<Operation> ops) {
        StringBuilder text = new StringBuilder();
        ops.forEach(op -> text.append(op).append(System.lineSeparator()));
        return text.toString();
    }

    static History history(List<Operation> ops) {
        HistoryBuilder builder = History.builder();
        ops.forEach(builder::add);
        return builder.build();
    }
}
