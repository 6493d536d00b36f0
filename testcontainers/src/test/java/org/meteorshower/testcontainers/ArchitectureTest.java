/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.testcontainers;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;
import org.meteorshower.architecture.Arrows;
import org.meteorshower.architecture.ModuleClasses;
import org.meteorshower.architecture.Rules;

class ArchitectureTest {
    private static final JavaClasses MODULE = ModuleClasses.with(MeteorShowerCluster.class);

    @Test
    void dependenciesPointOneWay() {
        new Arrows("testcontainers: client").rule().check(MODULE);
    }

    @Test
    void packagesHaveNoCycles() {
        Rules.noCycles().check(MODULE);
    }
}
