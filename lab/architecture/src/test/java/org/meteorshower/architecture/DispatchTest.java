/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.architecture;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On fixtures, of which one hands orders over and another one asks them. */
class DispatchTest {
    private static final String FIXTURES = "org.meteorshower.architecture.fixture.protocol";
    private static final JavaClasses CLASSES = new ClassFileImporter().importPackages(FIXTURES);
    private static final Class<?> ORDER = named("Order");

    private static Class<?> named(String fixture) {
        try {
            return Class.forName(FIXTURES + "." + fixture);
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"byPattern", "byType", "withinALambda", "byClass"})
    void whoAsksForTheKindIsFound(String way) {
        assertThatThrownBy(() -> Dispatch.goesByHandlers(ORDER).check(CLASSES))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("AsksForTheKind." + way)
                .hasMessageContaining("(4 times)")
                .hasMessageNotContaining("TakesOrders");
    }

    @Test
    void whatIsNotNamedMayBeAsked() {
        assertThatCode(() -> Dispatch.goesByHandlers(Integer.class, named("TakesOrders"))
                        .check(new ClassFileImporter().importClasses(named("AsksForTheKind"))))
                .doesNotThrowAnyException();
    }
}
