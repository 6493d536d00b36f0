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
                Verdict verdict = model.check(RandomHistory.history(ops));
                if (verdict.counterexample() != null) {
                    List<Operation> part = verdict.counterexample().operations().stream()
                            .sorted()
                            .map(ops::get)
                            .toList();
                    boolean possible = model == Model.SEQUENTIAL ? Oracle.sequential(part) : Oracle.linearizable(part);
                    assertThat(possible)
                            .as("seed %d, %s: %s", seed, model, CheckReport.of(RandomHistory.history(ops), verdict, 0))
                            .isFalse();
                }
            }
        }
    }

    /** A read of null may have seen any delete of its key: where no cycle tells it all, none may be left out. */
    @Test
    void setsThatNoOrderHoldsKeepAllDeletesThatCouldExplainThem() {
        int sets = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + HISTORIES / 4; seed++) {
            List<Operation> ops = RandomHistory.of(seed);
            Verdict verdict = Model.SEQUENTIAL.check(RandomHistory.history(ops));
            if (verdict.counterexample() == null
                    || !verdict.counterexample().steps().isEmpty()) {
                continue;
            }
            List<Operation> part =
                    verdict.counterexample().operations().stream().map(ops::get).toList();
            for (Operation read : part) {
                if (read.type() == Operation.Type.READ && read.value() == null) {
                    sets++;
                    assertThat(part).as("seed %d", seed).containsAll(deletes(ops, read.key()));
                }
            }
        }
        assertThat(HISTORIES < 1_000 || sets > 0).isTrue();
    }

    private static List<Operation> deletes(List<Operation> ops, String key) {
        return ops.stream()
                .filter(op -> op.type() == Operation.Type.WRITE && op.value() == null)
                .filter(op -> op.key().equals(key) && op.status() != Operation.Status.FAIL)
                .toList();
    }

    private void compare(Model model, long seed, List<Operation> ops, boolean possible) {
        Verdict verdict = model.check(RandomHistory.history(ops));
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
        assertThat(undecided).isZero();
        if (HISTORIES < 1_000) {
            return; // a replay of a few seeds
        }
        assertThat(consistent).isGreaterThan(HISTORIES / 10);
        assertThat(violations).isGreaterThan(HISTORIES / 10);
    }

    private static String list(List<Operation> ops) {
        StringBuilder text = new StringBuilder();
        ops.forEach(op -> text.append(op).append(System.lineSeparator()));
        return text.toString();
    }
}
