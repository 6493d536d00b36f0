/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.meteorshower.lab.prove.Tlc.Verdict;

/** The specifications: what they promise holds, and does not where a rule is left out. */
class ProveTest {
    private static Model named(String name) {
        return Model.all().stream()
                .filter(model -> model.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void whatIsPromisedHoldsAndIsRefutedWithoutARule() throws Exception {
        Tlc.Result holds = Tlc.check(named("leases-ousted"), Duration.ofMinutes(5));
        assertThat(holds.verdict()).as(holds.output()).isEqualTo(Verdict.HOLDS);
        assertThat(holds.states()).isGreaterThan(10_000);
        Tlc.Result refuted = Tlc.check(named("holders-not-awaited"), Duration.ofMinutes(5));
        assertThat(refuted.verdict()).as(refuted.output()).isEqualTo(Verdict.REFUTED);
        assertThat(refuted.output()).contains("Invariant ReadsMissNothing is violated");
    }

    @ParameterizedTest
    @CsvSource({"leases-move,5", "cut-own-write,19", "ring-one-by-one,19", "order,13"})
    void eachRuleIsLeftOutInSomeModel(String intact, int rules) {
        List<String> ruled = named(intact).constants().entrySet().stream()
                .filter(each -> each.getValue().equals("TRUE"))
                .map(Map.Entry::getKey)
                .toList();
        assertThat(ruled).hasSize(rules);
        for (String rule : ruled) {
            assertThat(Model.all())
                    .as(rule)
                    .anyMatch(model ->
                            model.refuted() && "FALSE".equals(model.constants().get(rule)));
        }
    }

    @Test
    void namesAreGivenOnce() {
        assertThat(Model.all()).extracting(Model::name).doesNotHaveDuplicates().allMatch(n -> n.matches("[a-z0-9-]+"));
    }

    @Test
    void aConstantThatASpecificationDoesNotHaveIsNotSet() {
        assertThatThrownBy(() -> named("leases-move").with("Nonsense", "1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Leases has no constant Nonsense");
    }

    @Test
    void whatHoldsToADepthIsToldApartFromWhatHolds() throws Exception {
        Model moves = named("leases-move").toDepth(5);
        assertThat(moves.expected()).isEqualTo(Verdict.TO_DEPTH);
        Tlc.Result some = Tlc.check(moves, Duration.ofMinutes(5));
        assertThat(some.verdict()).as(some.output()).isEqualTo(Verdict.TO_DEPTH);
        assertThat(some.depth()).isEqualTo(5);
        Tlc.Result all = Tlc.check(named("leases-move").toDepth(1_000), Duration.ofMinutes(5));
        assertThat(all.verdict()).as(all.output()).isEqualTo(Verdict.HOLDS);
        assertThat(some.states()).isBetween(2L, all.states() - 1);
    }

    @Test
    void aBeginningThatTheSpecificationDoesNotAllowShowsNothing() throws Exception {
        Model elected = named("lane-taken-over").toDepth(4);
        Tlc.Result allowed = Tlc.check(elected.after("Propose(0)", "Votes(1, 0)"), Duration.ofMinutes(5));
        assertThat(allowed.verdict()).as(allowed.output()).isEqualTo(Verdict.TO_DEPTH);
        Tlc.Result refused = Tlc.check(elected.after("Propose(0)", "Propose(1)"), Duration.ofMinutes(5));
        assertThat(refused.verdict()).as(refused.output()).isEqualTo(Verdict.UNKNOWN);
    }

    @Test
    void whatDidNotEndIsNotTakenForRight() throws Exception {
        assertThat(Tlc.check(named("leases-move"), Duration.ofMillis(1)).verdict())
                .isEqualTo(Verdict.UNKNOWN);
        assertThat(Tlc.result("java.lang.OutOfMemoryError", Duration.ZERO).verdict())
                .isEqualTo(Verdict.UNKNOWN);
    }
}
