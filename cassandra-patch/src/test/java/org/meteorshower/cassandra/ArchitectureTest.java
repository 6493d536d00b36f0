/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.meteorshower.architecture.Arrows;
import org.meteorshower.architecture.Dispatch;
import org.meteorshower.architecture.ModuleClasses;
import org.meteorshower.architecture.Rules;
import org.meteorshower.cassandra.agent.Agent;
import org.meteorshower.transactions.port.Durable;

/** Nothing of the laboratory, and each part no more than it needs; only {@code node} puts them together. */
class ArchitectureTest {
    private static final JavaClasses MODULE = ModuleClasses.with(Agent.class);

    @Test
    void dependenciesPointOneWay() {
        new Arrows("""
                        cassandra:
                        cassandra.agent:
                        cassandra.token:
                        cassandra.schedule:
                        cassandra.ways: protocol
                        cassandra.memory: runtime
                        cassandra.metrics: protocol transactions.language transactions.port
                        cassandra.config: cassandra.memory protocol transport transactions.port
                        cassandra.placement: protocol runtime
                        cassandra.store: cassandra.agent protocol driver runtime
                        cassandra.request:
                        cassandra.transactions: protocol transactions.language transactions.log transactions.port
                        cassandra.background: cassandra.config
                        cassandra.tables: cassandra.background cassandra.config cassandra.placement cassandra.schedule
                            cassandra.store cassandra.transactions protocol runtime transport
                        cassandra.check: cassandra.store cassandra.tables protocol runtime onlinecheck
                        cassandra.read: cassandra.check cassandra.placement cassandra.store
                            cassandra.tables protocol runtime
                        cassandra.net: cassandra.placement cassandra.read cassandra.store
                            cassandra.tables cassandra.ways protocol runtime transport
                        cassandra.views: cassandra.background cassandra.check cassandra.config cassandra.memory cassandra.metrics
                            cassandra.tables cassandra.transactions cassandra.ways protocol transport onlinecheck
                            transactions.language transactions.port
                        cassandra.transactions.cql: cassandra.metrics cassandra.read cassandra.request
                            cassandra.token cassandra.transactions protocol transactions.language transactions.log
                            transactions.port transactions.codec
                        cassandra.transactions.node: cassandra.agent cassandra.config cassandra.memory
                            cassandra.metrics cassandra.schedule cassandra.tables cassandra.transactions
                            cassandra.transactions.cql cassandra.views protocol runtime transport transactions.clocks
                            transactions.fronts transactions.language transactions.log transactions.port
                            transactions.codec transactions.runtime
                        cassandra.cql: cassandra.config cassandra.metrics cassandra.placement
                            cassandra.read cassandra.request cassandra.store cassandra.tables
                            cassandra.token cassandra.transactions cassandra.transactions.cql protocol driver
                            runtime
                        cassandra.node: cassandra.agent cassandra.background cassandra.check cassandra.config cassandra.cql
                            cassandra.memory cassandra.metrics cassandra.net cassandra.placement
                            cassandra.read cassandra.request cassandra.schedule cassandra.store
                            cassandra.tables cassandra.token cassandra.transactions cassandra.transactions.cql
                            cassandra.transactions.node cassandra.views cassandra.ways
                            protocol driver runtime transport wan
                            onlinecheck transactions.runtime transactions.port
                        """).rule().check(MODULE);
    }

    /** Of the reads' core, and of the transactions'. */
    @Test
    void nobodyAsksAnEventEffectOrMessageForItsKind() {
        Dispatch.goesByHandlers(
                        org.meteorshower.protocol.Event.class,
                        org.meteorshower.protocol.Effect.class,
                        org.meteorshower.protocol.Message.class,
                        org.meteorshower.transactions.port.Event.class,
                        org.meteorshower.transactions.port.Effect.class,
                        org.meteorshower.transactions.port.Message.class,
                        Durable.class)
                .check(MODULE);
    }

    @Test
    void packagesHaveNoCycles() {
        Rules.noCycles().check(MODULE);
    }

    /** Who knows so many is a hub that everything hangs on: it is to be made of parts. */
    @Test
    void noClassKnowsMoreThanThirtyOthersOfOurs() {
        Map<String, Set<String>> known = new TreeMap<>();
        for (JavaClass type : MODULE) {
            for (Dependency use : type.getDirectDependenciesFromSelf()) {
                String target = outermost(use.getTargetClass().getBaseComponentType());
                if (target.startsWith("org.meteorshower.") && !target.equals(outermost(type))) {
                    known.computeIfAbsent(outermost(type), name -> new TreeSet<>())
                            .add(target);
                }
            }
        }
        assertThat(known)
                .hasSizeGreaterThan(100)
                .allSatisfy((name, others) -> assertThat(others).as(name).hasSizeLessThanOrEqualTo(30));
    }

    private static String outermost(JavaClass type) {
        return type.getName().replaceFirst("\\$.*", "");
    }
}
