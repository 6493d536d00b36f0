/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab;

import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;
import org.meteorshower.architecture.Arrows;
import org.meteorshower.architecture.ModuleClasses;
import org.meteorshower.architecture.Rules;
import org.meteorshower.lab.cli.Meteor;

/**
 * Nodes are processes: nothing of the plugin, and of the cores only what the simulators and the emulated network need.
 */
class ArchitectureTest {
    private static final JavaClasses MODULE = ModuleClasses.with(Meteor.class);

    @Test
    void dependenciesPointOneWay() {
        new Arrows("""
                        lab.console:
                        lab.cluster:
                        lab.arguments: lab.cluster lab.console
                        lab.load: lab.cluster client
                        lab.ring: lab.cluster
                        lab.search: simulator
                        lab.power: lab.console
                        lab.prove: lab.arguments lab.cluster lab.simulate
                        lab.rivals: lab.cluster wan
                        lab.top: lab.arguments lab.cluster lab.console
                        lab.changes: lab.arguments lab.cluster lab.top client.changes
                        lab.ycsb: lab.arguments lab.cluster lab.console ycsb
                        lab.simulate: lab.arguments lab.console lab.search simulator smallscope
                            transactions.simulator protocol
                            runtime transport checker
                        lab.opinion: lab.arguments lab.cluster lab.console lab.simulate checker
                        lab.transactions: lab.cluster lab.load lab.rivals checker
                        lab.transactions.model: lab.transactions wan
                        lab.tpcc:
                        lab.tpcc.model: lab.tpcc lab.transactions.model
                        lab.tpcc.cql: lab.tpcc lab.cluster lab.load lab.transactions
                        lab.bench.plan: lab.cluster lab.console lab.rivals lab.tpcc client
                        lab.bench.run: lab.bench.plan lab.cluster lab.load lab.rivals lab.tpcc lab.tpcc.cql
                            lab.tpcc.model lab.transactions lab.transactions.model checker client
                        lab.bench.report: lab.bench.plan lab.bench.run lab.cluster lab.console lab.simulate
                            lab.tpcc client
                        lab.bench: lab.bench.plan lab.bench.run lab.bench.report lab.arguments lab.cluster
                            lab.console lab.simulate
                        lab.demo.transactions: lab.bench.plan lab.bench.run lab.bench.report lab.arguments
                            lab.cluster lab.console lab.transactions
                        lab.demo: lab.demo.transactions lab.arguments lab.cluster lab.console lab.load checker
                            client
                        lab.torture: lab.arguments lab.cluster lab.console lab.load lab.power lab.ring
                            lab.transactions checker client
                        lab.torture.size: lab.torture lab.arguments lab.cluster lab.console lab.load
                            lab.transactions
                        lab.cli: lab.arguments lab.bench lab.changes lab.cluster lab.demo lab.opinion lab.prove
                            lab.ring lab.simulate lab.top lab.torture lab.torture.size lab.ycsb checker
                        """).rule().check(MODULE);
    }

    @Test
    void packagesHaveNoCycles() {
        Rules.noCycles().check(MODULE);
    }
}
