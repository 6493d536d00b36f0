/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules hold for the module, and fail for the fixtures that break them. */
class ArchitectureTest {
    private static final String ROOT = "org.meteorshower";
    private static final String FIXTURES = "org.meteorshower.architecture.fixture";

    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(new ImportOption.DoNotIncludeJars())
            .importPackages(ROOT);
    private static final JavaClasses BAD = new ClassFileImporter().importPackages(FIXTURES);

    @Test
    void theModuleWasFound() {
        assertThat(MODULE.contain("org.meteorshower.protocol.SequentialReads")).isTrue();
        assertThat(MODULE.contain("org.meteorshower.simulator.Simulation")).isTrue();
        assertThat(MODULE.contain("org.meteorshower.runtime.MeteorShower")).isTrue();
    }

    @Test
    void theCoreUsesOnlyJavaLangAndUtil() {
        Rules.coreUsesOnlyJavaLangAndUtil(ROOT).check(MODULE);
    }

    @Test
    void theCoreHasNoTimeChanceOrThreads() {
        Rules.coreHasNoTimeChanceOrThreads(ROOT).check(MODULE);
    }

    @Test
    void theCoresPartsAreItsOwn() {
        Rules.coreIsNotPublicBeyondItsPort(ROOT).check(MODULE);
    }

    @Test
    void theSimulatorHasNoTimeOrUnseededChance() {
        Rules.simulatorHasNoTimeOrUnseededChance(ROOT).check(MODULE);
    }

    @Test
    void dependenciesPointOneWay() {
        Rules.dependenciesPointOneWay(ROOT).check(MODULE);
    }

    @Test
    void packagesHaveNoCycles() {
        Rules.noCycles(ROOT).check(MODULE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.time.Instant", "java.nio.file.Files", "java.util.concurrent.ThreadLocalRandom"})
    void theRuleForTheCoreFindsWhatItShallNotUse(String used) {
        assertBroken(Rules.coreUsesOnlyJavaLangAndUtil(FIXTURES), used);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"System.nanoTime", "System.currentTimeMillis", "UUID.randomUUID", "java.util.Random", "Thread"})
    void theRuleForTimeAndChanceFindsThem(String used) {
        assertBroken(Rules.coreHasNoTimeChanceOrThreads(FIXTURES), used);
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.util.SplittableRandom.<init>()", "System.nanoTime", "java.time.Clock"})
    void theRuleForTheSimulatorFindsWallClocksAndUnseededChance(String used) {
        assertBroken(Rules.simulatorHasNoTimeOrUnseededChance(FIXTURES), used);
    }

    @Test
    void theRuleForTheSimulatorAllowsSeededChance() {
        assertThatThrownBy(
                        () -> Rules.simulatorHasNoTimeOrUnseededChance(FIXTURES).check(BAD))
                .hasMessageNotContaining("seededAndFine");
    }

    @Test
    void theRuleForTheDirectionFindsACoreThatKnowsItsRuntime() {
        assertBroken(Rules.dependenciesPointOneWay(FIXTURES), "UsesTheRuntime");
    }

    @Test
    void theRuleForCyclesFindsOne() {
        assertBroken(Rules.noCycles(FIXTURES), "Cycle detected");
    }

    @Test
    void theRuleForTheCoresPartsFindsAPublicOne() {
        assertBroken(Rules.coreIsNotPublicBeyondItsPort(FIXTURES), "UsesTheRuntime");
    }

    private static void assertBroken(ArchRule rule, String because) {
        assertThatThrownBy(() -> rule.check(BAD))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(because);
    }
}
