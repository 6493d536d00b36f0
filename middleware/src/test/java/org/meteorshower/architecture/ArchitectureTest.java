/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysFalse;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;

import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.SequentialReads;

class ArchitectureTest {
    private static final String PROTOCOL = "org.meteorshower.protocol..";

    /** Events, effects, messages, settings, and what they are made of. */
    private static final Set<String> PORT = Set.of(
            "SequentialReads",
            "CoreView",
            "Event",
            "Effect",
            "Message",
            "Settings",
            "Recovery",
            "Now",
            "NodeId",
            "StreamId",
            "TableStripes",
            "MemoryUse",
            "MovePatience",
            "MoveSteps",
            "PlainReads",
            "MutationId",
            "PartitionKey",
            "Placement",
            "ReplicaGroup",
            "Update",
            "History",
            "Announcement",
            "Awaited",
            "CommonCut",
            "GroupChange",
            "ReadMode",
            "ScanRange",
            "Served",
            "SharedRepairs",
            "TakingPart",
            "Told");

    private static final JavaClasses MODULE = ModuleClasses.with(SequentialReads.class);

    @Test
    void dependenciesPointOneWay() {
        new Arrows("""
                        protocol:
                        atrest: protocol
                        onlinecheck: protocol
                        driver: protocol atrest
                        runtime: protocol atrest driver
                        wan:
                        transport: protocol runtime wan
                        """).rule().check(MODULE);
    }

    @Test
    void packagesHaveNoCycles() {
        Rules.noCycles().check(MODULE);
    }

    @Test
    void theCoreUsesOnlyJavaLangAndUtil() {
        Rules.usesOnlyJavaLangAndUtil(resideInAPackage(PROTOCOL), alwaysFalse()).check(MODULE);
    }

    @Test
    void theCoreItsDriverAndTheOnlineCheckerHaveNoTimeChanceOrThreads() {
        Rules.noTimeChanceOrThreads(
                        resideInAnyPackage(PROTOCOL, "org.meteorshower.driver..", "org.meteorshower.onlinecheck.."))
                .check(MODULE);
    }

    @Test
    void nobodyAsksAnEventEffectOrMessageForItsKind() {
        Dispatch.goesByHandlers(Event.class, Effect.class, Message.class).check(MODULE);
    }

    @Test
    void theCoresPartsAreItsOwn() {
        Rules.onlyThesePublic(PROTOCOL, PORT).check(MODULE);
    }
}
