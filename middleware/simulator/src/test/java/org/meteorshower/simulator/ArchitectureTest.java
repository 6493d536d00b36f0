/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;
import org.meteorshower.architecture.Arrows;
import org.meteorshower.architecture.ModuleClasses;
import org.meteorshower.architecture.Rules;

class ArchitectureTest {
    private static final JavaClasses MODULE = ModuleClasses.with(Simulation.class);

    /** Of what the simulated nodes run, neither the runtime nor the transport is known. */
    @Test
    void dependenciesPointOneWay() {
        new Arrows("""
                        simulator: protocol driver atrest onlinecheck checker
                        smallscope: protocol driver simulator checker
                        """).rule().check(MODULE);
    }

    @Test
    void packagesHaveNoCycles() {
        Rules.noCycles().check(MODULE);
    }

    @Test
    void itHasNoTimeOrUnseededChance() {
        Rules.onlySimulatedTimeAndSeededChance(alwaysTrue()).check(MODULE);
    }
}
