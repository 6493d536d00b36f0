/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import org.junit.jupiter.api.Test;
import org.meteorshower.architecture.Arrows;
import org.meteorshower.architecture.Dispatch;
import org.meteorshower.architecture.ModuleClasses;
import org.meteorshower.architecture.Rules;
import org.meteorshower.transactions.Catenae;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.servers.ChainMessage;
import org.meteorshower.transactions.servers.ServerEffect;

/** The core is pure and does not know who runs it. */
class ArchitectureTest {
    /** Brings threads and clocks to the core. */
    private static final String RUNTIME = "org.meteorshower.transactions.runtime..";

    private static final DescribedPredicate<JavaClass> CORE =
            resideInAPackage("org.meteorshower.transactions..").and(resideOutsideOfPackage(RUNTIME));

    /** All that it has of middleware. */
    private static final DescribedPredicate<JavaClass> THE_RECORD_OF_THE_TIME =
            describe("the record of the time", type -> type.getName().equals("org.meteorshower.protocol.Now"));

    private static final JavaClasses MODULE = ModuleClasses.with(Catenae.class);

    /** As docs/CATENAE.md has it. */
    @Test
    void dependenciesPointOneWay() {
        new Arrows("""
                        transactions.language:
                        transactions.log: transactions.language
                        transactions.port: transactions.log transactions.language protocol
                        transactions.lanes: transactions.clocks transactions.port transactions.log transactions.language
                        transactions.clocks: transactions.port transactions.log transactions.language
                        transactions.merge: transactions.port transactions.log transactions.language
                        transactions.codec: transactions.port transactions.log transactions.language
                        transactions.chains: transactions.merge transactions.port transactions.log
                            transactions.language
                        transactions.fronts: transactions.chains transactions.codec transactions.log transactions.language
                        transactions.servers: transactions.fronts transactions.chains transactions.codec transactions.merge
                            transactions.port transactions.log transactions.language
                        transactions.storage: transactions.chains transactions.lanes transactions.merge
                            transactions.port transactions.log transactions.language
                        transactions: transactions.fronts transactions.storage transactions.chains transactions.lanes
                            transactions.clocks transactions.codec transactions.merge transactions.port
                            transactions.log transactions.language protocol
                        transactions.runtime: transactions transactions.fronts transactions.port transactions.log
                            transactions.language runtime
                        """).rule().check(MODULE);
    }

    @Test
    void packagesHaveNoCycles() {
        Rules.noCycles().check(MODULE);
    }

    @Test
    void theCoreUsesOnlyJavaLangAndUtil() {
        Rules.usesOnlyJavaLangAndUtil(
                        CORE, THE_RECORD_OF_THE_TIME.or(resideInAnyPackage("java.math", "java.nio.charset")))
                .check(MODULE);
    }

    @Test
    void nobodyAsksAnEventEffectOrMessageForItsKind() {
        Dispatch.goesByHandlers(
                        Event.class,
                        Effect.class,
                        Message.class,
                        Durable.class,
                        ChainMessage.class,
                        ServerEffect.class,
                        Request.class,
                        Statement.class,
                        Expression.class)
                .check(MODULE);
    }

    @Test
    void theCoreHasNoTimeChanceOrThreads() {
        Rules.noTimeChanceOrThreads(CORE).check(MODULE);
    }
}
