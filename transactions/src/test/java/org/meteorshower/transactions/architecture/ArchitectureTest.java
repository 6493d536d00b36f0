/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The core is pure and does not know who runs it. The rules are shown a class that breaks them. */
class ArchitectureTest {
    private static final String ROOT = "org.meteorshower.transactions";
    private static final String SIMULATOR = ROOT + ".simulator..";

    /** Brings threads and clocks to the core; the core knows nothing of it. */
    private static final String RUNTIME = ROOT + ".runtime..";

    private static final Set<String> BANNED_CLASSES = Set.of(
            "java.lang.Thread",
            "java.lang.ThreadLocal",
            "java.lang.Runtime",
            "java.lang.Process",
            "java.util.Random",
            "java.util.SplittableRandom",
            "java.util.Date",
            "java.util.Timer");
    private static final Set<String> BANNED_CALLS = Set.of(
            "java.lang.System.currentTimeMillis",
            "java.lang.System.nanoTime",
            "java.lang.System.getenv",
            "java.lang.System.getProperty",
            "java.lang.System.identityHashCode",
            "java.lang.Math.random",
            "java.util.UUID.randomUUID",
            "java.util.Collections.shuffle",
            "java.lang.Object.wait",
            "java.lang.Object.notify");

    private static final JavaClasses MODULE = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(new ImportOption.DoNotIncludeJars())
            .importPackages(ROOT);

    private static ArchRule usesOnlyJavaLangAndUtil() {
        return classes()
                .that()
                .resideInAPackage(ROOT + "..")
                .and()
                .resideOutsideOfPackages(SIMULATOR, RUNTIME)
                .should()
                .onlyDependOnClassesThat(resideInAPackage(ROOT + "..")
                        .or(describe("the record of the time", type -> type.getName()
                                .equals("org.meteorshower.protocol.Now")))
                        .or(resideInAPackage("java.util"))
                        .or(resideInAPackage("java.math"))
                        .or(resideInAPackage("java.nio.charset"))
                        .or(resideInAPackage("java.util.function"))
                        .or(resideInAPackage("java.util.stream"))
                        .or(resideInAPackage("java.lang"))
                        .or(resideInAPackage("java.lang.invoke"))
                        .or(resideInAPackage("java.lang.runtime"))
                        .or(resideInAPackage("java.lang.annotation"))
                        .or(resideInAPackage("org.jspecify.annotations"))
                        .or(describe("primitives", type -> type.getBaseComponentType()
                                .isPrimitive())));
    }

    private static ArchRule hasNoTimeChanceOrThreads() {
        return noClasses()
                .that()
                .resideInAPackage(ROOT + "..")
                .and()
                .resideOutsideOfPackages(SIMULATOR, RUNTIME)
                .should()
                .dependOnClassesThat(describe(
                        "bring time, chance or threads in",
                        type -> BANNED_CLASSES.contains(
                                type.getBaseComponentType().getName())))
                .orShould()
                .accessTargetWhere(describe(
                        "ask for the time, for chance or for the surroundings",
                        (JavaAccess<?> access) ->
                                BANNED_CALLS.contains(access.getTargetOwner().getName() + "." + access.getName())));
    }

    @Test
    void theModuleWasFound() {
        assertThat(MODULE.contain("org.meteorshower.transactions.Catenae")).isTrue();
        assertThat(MODULE.contain("org.meteorshower.transactions.simulator.Kind"))
                .isTrue();
    }

    @Test
    void theCoreUsesOnlyJavaLangAndUtil() {
        usesOnlyJavaLangAndUtil().check(MODULE);
    }

    @Test
    void theCoreHasNoTimeChanceOrThreads() {
        hasNoTimeChanceOrThreads().check(MODULE);
    }

    @Test
    void theCoreDoesNotKnowTheSimulator() {
        noClasses()
                .that()
                .resideOutsideOfPackage(SIMULATOR)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(SIMULATOR)
                .check(MODULE);
    }

    @Test
    void theCoreDoesNotKnowWhatRunsIt() {
        noClasses()
                .that()
                .resideOutsideOfPackage(RUNTIME)
                .should()
                .dependOnClassesThat()
                .resideInAPackage(RUNTIME)
                .check(MODULE);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(MODULE);
    }

    @Test
    void theRulesFindAClassThatAsksForTheTime() {
        JavaClasses bad = new ClassFileImporter().importClasses(AsksForTheTime.class);

        assertThatThrownBy(() -> hasNoTimeChanceOrThreads().check(bad)).hasMessageContaining("nanoTime");
        assertThatThrownBy(() -> usesOnlyJavaLangAndUtil().check(bad)).hasMessageContaining("java.time.Instant");
    }

    static final class AsksForTheTime {
        Object now() {
            return System.nanoTime() > 0 ? java.time.Instant.EPOCH : "";
        }
    }
}
