/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysFalse;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule fails for the fixtures that break it. */
class RulesTest {
    private static final String FIXTURES = "org.meteorshower.architecture.fixture";
    private static final JavaClasses BAD = new ClassFileImporter().importPackages(FIXTURES);
    private static final DescribedPredicate<JavaClass> CORE = resideInAPackage(FIXTURES + ".protocol..");
    private static final DescribedPredicate<JavaClass> SIMULATOR = resideInAPackage(FIXTURES + ".simulator..");

    @ParameterizedTest
    @ValueSource(strings = {"java.time.Instant", "java.nio.file.Files", "java.util.concurrent.ThreadLocalRandom"})
    void theRuleForTheCoreFindsWhatItShallNotUse(String used) {
        assertBroken(Rules.usesOnlyJavaLangAndUtil(CORE, alwaysFalse()), used);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"System.nanoTime", "System.currentTimeMillis", "UUID.randomUUID", "java.util.Random", "Thread"})
    void theRuleForTimeAndChanceFindsThem(String used) {
        assertBroken(Rules.noTimeChanceOrThreads(CORE), used);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "java.util.Set.copyOf",
                "java.util.Map.copyOf",
                "java.util.Map.of(java.lang.Object, java.lang.Object, java.lang.Object, java.lang.Object)",
                "toUnmodifiableSet"
            })
    void theRuleForTimeAndChanceFindsAnOrderThatEachProcessChooses(String used) {
        assertBroken(Rules.noTimeChanceOrThreads(CORE), used);
    }

    @Test
    void theRuleForTimeAndChanceAllowsAMapOfOne() {
        assertThatThrownBy(() -> Rules.noTimeChanceOrThreads(CORE).check(BAD))
                .hasMessageNotContaining("java.util.Map.of(java.lang.Object, java.lang.Object)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"java.util.SplittableRandom.<init>()", "System.nanoTime", "java.time.Clock"})
    void theRuleForSimulatorsFindsWallClocksAndUnseededChance(String used) {
        assertBroken(Rules.onlySimulatedTimeAndSeededChance(SIMULATOR), used);
    }

    @Test
    void theRuleForSimulatorsAllowsSeededChance() {
        assertThatThrownBy(
                        () -> Rules.onlySimulatedTimeAndSeededChance(SIMULATOR).check(BAD))
                .hasMessageNotContaining("seededAndFine");
    }

    @Test
    void theRuleForCyclesFindsOne() {
        assertBroken(Rules.noCycles(), "Cycle detected");
    }

    @Test
    void theRuleForTheCoresPartsFindsAPublicOne() {
        assertBroken(Rules.onlyThesePublic(FIXTURES + ".protocol..", Set.of("AsksForTheTime")), "UsesTheRuntime");
    }

    private static void assertBroken(ArchRule rule, String because) {
        assertThatThrownBy(() -> rule.check(BAD))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(because);
    }
}
