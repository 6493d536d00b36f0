/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;
import org.meteorshower.architecture.Arrows;
import org.meteorshower.architecture.ModuleClasses;
import org.meteorshower.architecture.Rules;

class ArchitectureTest {
    private static final JavaClasses MODULE = ModuleClasses.with(History.class);

    @Test
    void dependenciesPointOneWay() {
        new Arrows("""
                        checker:
                        checker.transactions: checker
                        """).rule().check(MODULE);
    }

    @Test
    void packagesHaveNoCycles() {
        Rules.noCycles().check(MODULE);
    }
}
