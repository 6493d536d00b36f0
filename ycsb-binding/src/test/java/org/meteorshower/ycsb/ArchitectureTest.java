/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;
import org.meteorshower.architecture.Arrows;
import org.meteorshower.architecture.ModuleClasses;
import org.meteorshower.architecture.Rules;

class ArchitectureTest {
    private static final JavaClasses MODULE = ModuleClasses.with(MeteorShowerStore.class);

    @Test
    void dependenciesPointOneWay() {
        new Arrows("ycsb: client").rule().check(MODULE);
    }

    @Test
    void packagesHaveNoCycles() {
        Rules.noCycles().check(MODULE);
    }
}
