/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.architecture;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** On the fixtures, whose core and runtime know each other, and whose simulator knows nobody. */
class ArrowsTest {
    private static final String FIXTURES = "org.meteorshower.architecture.fixture";
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importPackages(FIXTURES + ".protocol", FIXTURES + ".runtime", FIXTURES + ".simulator");

    private static void check(String table) {
        new Arrows(FIXTURES, table).rule().check(CLASSES);
    }

    @Test
    void whatTheTableNamesMayBeUsed() {
        check("""
                protocol: simulator runtime
                runtime: protocol
                simulator:
                """);
    }

    @Test
    void aCoreThatKnowsItsRuntimeIsFound() {
        assertThatThrownBy(() -> check("""
                protocol: simulator
                runtime: protocol
                simulator:
                """))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("UsesTheRuntime")
                .hasMessageNotContaining("RollsDice");
    }

    @Test
    void aPartThatNobodyNamedIsNotToBeUsed() {
        assertThatThrownBy(() -> check("""
                protocol:
                simulator:
                """))
                .hasMessageContaining("UsesTheRuntime")
                .hasMessageContaining("UsesTheCore is in no row's part");
    }

    @Test
    void aRowAboutNothingIsFound() {
        assertThatThrownBy(() -> check("""
                protocol: runtime
                runtime: protocol
                simulator:
                gone:
                """)).hasMessageContaining("the row of gone is about no class");
    }

    @Test
    void aLineWithoutAColonGoesOnWithTheRow() {
        check("""
                protocol: simulator
                    runtime
                runtime:
                    protocol
                simulator:
                """);
    }

    @Test
    void twoRowsAboutOnePartAreAMistake() {
        assertThatThrownBy(() -> check("""
                protocol: runtime
                protocol: simulator
                """)).hasMessageContaining("two rows about protocol");
    }

    @Test
    void aPackageBelowAPartBelongsToItUntilItHasARow() {
        JavaClasses all = new ClassFileImporter().importPackages(FIXTURES);

        new Arrows("org.meteorshower.architecture", "fixture:").rule().check(all);
        assertThatThrownBy(() ->
                        new Arrows("org.meteorshower.architecture", """
                        fixture:
                        fixture.runtime:
                        """).rule().check(all))
                .hasMessageContaining("UsesTheCore")
                .hasMessageContaining("UsesTheRuntime");
    }
}
