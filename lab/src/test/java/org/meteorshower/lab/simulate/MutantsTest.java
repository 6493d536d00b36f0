/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.simulator.Bug;
import org.meteorshower.simulator.Kind;

/** Mistakes within the core can be made without a switch in it, and are found. */
class MutantsTest {
    static List<Mutant> patched() {
        return Mutants.all().stream()
                .filter(mutant -> !mutant.patches().isEmpty())
                .toList();
    }

    @Test
    void thereAreTwentyOrMoreAndEachHasANameOfItsOwn() {
        assertThat(Mutants.all()).hasSizeGreaterThanOrEqualTo(20);
        assertThat(Mutants.all())
                .extracting(Mutant::name)
                .doesNotHaveDuplicates()
                .allMatch(n -> n.matches("[a-z0-9-]+"));
    }

    @ParameterizedTest
    @MethodSource("patched")
    void everyPatchFindsWhatItChanges(Mutant mutant) throws ClassNotFoundException {
        PatchedClasses classes = new PatchedClasses(mutant.patches());
        for (Patch patch : mutant.patches()) {
            assertThat(classes.patched(patch.className())).isNotEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "coverage-of-one",
                "undecided-served",
                "ts-not-above-token",
                "retired-floor-forgotten",
                "left-behind-told-done",
                "stream-of-old-incarnation",
                "restarted-counted-at-once"
            })
    void aMistakeWithinTheCoreIsFoundWithinAFewSeeds(String name) {
        MutantHunt.Finding finding = new MutantHunt(Mutants.named(name)).hunt(20);

        assertThat(finding.foundBy()).isNotEmpty();
        assertThat(finding.command()).startsWith("./meteor simulate --seed ").endsWith("--mutant " + name);
    }

    @Test
    void aCopyOfTheCoreWithoutAMistakeGivesTheSameRuns() {
        RunOutcome patched = new PatchedRuns(List.of()).run(Kind.RANDOM, 3, null);
        RunOutcome direct = Runs.of(Bug.NONE).run(Kind.RANDOM, 3, null);

        assertThat(patched).usingRecursiveComparison().isEqualTo(direct);
        assertThat(patched.isBad()).isFalse();
    }

    @Test
    void aMutantWhosePatchFindsNothingIsNotTakenForOneThatWasFound() {
        Mutant empty = Mutant.within(
                "empty", Kind.RANDOM, "", new Patch("HybridClock", "noSuchMethod", Edit.bodyGives(Edit.NOTHING)));

        MutantHunt.Finding finding = new MutantHunt(empty).hunt(1);

        assertThat(finding.isCaught()).isFalse();
        assertThat(finding.who()).startsWith("NOT RUN").contains("HybridClock.noSuchMethod");
    }

    @Test
    void aPatchThatFindsNothingSaysSo() {
        Patch patch = new Patch("HybridClock", "noSuchMethod", Edit.bodyGives(Edit.NOTHING));

        assertThatThrownBy(() -> new PatchedClasses(List.of(patch)).patched(patch.className()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("HybridClock.noSuchMethod")
                .hasMessageContaining("the core has changed");
    }
}
