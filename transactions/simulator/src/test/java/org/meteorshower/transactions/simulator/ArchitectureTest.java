/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;
import org.meteorshower.architecture.Arrows;
import org.meteorshower.architecture.ModuleClasses;
import org.meteorshower.architecture.Rules;

class ArchitectureTest {
    private static final JavaClasses MODULE = ModuleClasses.with(Simulation.class);

    @Test
    void dependenciesPointOneWay() {
        new Arrows("""
                        transactions.simulator: transactions.simulator.servers transactions.simulator.shelves
                            transactions.simulator.tables transactions protocol simulator checker
                        transactions.simulator.servers: transactions.simulator.shelves transactions.simulator.tables
                            transactions protocol simulator
                        transactions.simulator.shelves: transactions
                        transactions.simulator.tables: transactions
                        """).rule().check(MODULE);
    }

    /** It stands on the core, not on the thread that runs the core in a node. */
    @Test
    void itRunsTheCoreItself() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.meteorshower.transactions.runtime..")
                .check(MODULE);
    }

    @Test
    void itHasNoTimeOrUnseededChance() {
        Rules.onlySimulatedTimeAndSeededChance(alwaysTrue()).check(MODULE);
    }
}
