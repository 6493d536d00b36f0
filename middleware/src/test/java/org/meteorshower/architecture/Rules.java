/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/** The rules, for a root package: the real one, or that of the fixtures that break them. */
final class Rules {
    /** Of java.lang, what brings time, chance, threads or the outside in. */
    private static final Set<String> BANNED_CLASSES = Set.of(
            "java.lang.Thread",
            "java.lang.ThreadLocal",
            "java.lang.InheritableThreadLocal",
            "java.lang.Runtime",
            "java.lang.Process",
            "java.lang.ProcessBuilder",
            "java.util.Random",
            "java.util.SplittableRandom",
            "java.util.Date",
            "java.util.Calendar",
            "java.util.Timer",
            "java.util.TimerTask",
            "java.util.Scanner");

    private static final Set<String> BANNED_CALLS = Set.of(
            "java.lang.System.currentTimeMillis",
            "java.lang.System.nanoTime",
            "java.lang.System.getenv",
            "java.lang.System.getProperty",
            "java.lang.System.identityHashCode",
            "java.lang.Math.random",
            "java.lang.StrictMath.random",
            "java.util.UUID.randomUUID",
            "java.util.Collections.shuffle",
            "java.lang.Object.wait",
            "java.lang.Object.notify",
            "java.lang.Object.notifyAll");

    private Rules() {}

    /** A pure state machine needs java.lang, java.util and the annotations of jspecify, and nothing else. */
    static ArchRule coreUsesOnlyJavaLangAndUtil(String root) {
        return classes()
                .that()
                .resideInAPackage(root + ".protocol..")
                .should()
                .onlyDependOnClassesThat(resideInAPackage(root + ".protocol..")
                        .or(resideInAPackage("java.util"))
                        .or(resideInAPackage("java.util.function"))
                        .or(resideInAPackage("java.util.stream"))
                        .or(resideInAPackage("java.lang"))
                        .or(resideInAPackage("java.lang.invoke"))
                        .or(resideInAPackage("java.lang.runtime"))
                        .or(resideInAPackage("java.lang.annotation"))
                        .or(resideInAPackage("org.jspecify.annotations"))
                        .or(describe("primitives and arrays of them", Rules::isPrimitive)))
                .as("the protocol core uses java.lang, java.util and jspecify only");
    }

    private static boolean isPrimitive(JavaClass type) {
        return type.getBaseComponentType().isPrimitive();
    }

    static ArchRule coreHasNoTimeChanceOrThreads(String root) {
        return noClasses()
                .that()
                .resideInAnyPackage(root + ".protocol..", root + ".onlinecheck..")
                .should()
                .dependOnClassesThat(describe("bring time, chance, threads or I/O in", Rules::isBanned))
                .orShould()
                .accessTargetWhere(bannedCall())
                .as("the protocol core and the online checker have no clock, no randomness, no threads and no I/O");
    }

    /** The simulator has chance, from its seed, and time of its own. */
    static ArchRule simulatorHasNoTimeOrUnseededChance(String root) {
        DescribedPredicate<JavaAccess<?>> unseeded = describe(
                "make a random generator without a seed",
                access -> access.getName().equals("<init>")
                        && access.getTargetOwner().getName().startsWith("java.util.")
                        && access.getTargetOwner().getName().endsWith("Random")
                        && access.getTarget().getFullName().endsWith("()"));
        return noClasses()
                .that()
                .resideInAnyPackage(root + ".simulator..", root + ".smallscope..")
                .should()
                .accessTargetWhere(bannedCall().or(unseeded))
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.(time\\..*|lang\\.Thread|util\\.Date|security\\..*|util\\.concurrent\\..*)")
                .as("the simulator knows only simulated time and its seed's chance");
    }

    private static boolean isBanned(JavaClass type) {
        return BANNED_CLASSES.contains(type.getBaseComponentType().getName());
    }

    private static DescribedPredicate<JavaAccess<?>> bannedCall() {
        return describe(
                "ask for the time, for chance or for the surroundings",
                access -> BANNED_CALLS.contains(access.getTargetOwner().getName() + "." + access.getName()));
    }

    /**
     * protocol &lt;- runtime &lt;- transport; the simulator stands on the protocol, and on the checkers that judge its runs;
     * the small worlds on these three; the WAN emulator on nothing.
     */
    static ArchRule dependenciesPointOneWay(String root) {
        return layeredArchitecture()
                .consideringOnlyDependenciesInAnyPackage(root + "..")
                .withOptionalLayers(true)
                .layer("protocol")
                .definedBy(root + ".protocol..")
                .layer("runtime")
                .definedBy(root + ".runtime..")
                .layer("transport")
                .definedBy(root + ".transport..")
                .layer("simulator")
                .definedBy(root + ".simulator..")
                .layer("wan")
                .definedBy(root + ".wan..")
                .layer("checker")
                .definedBy(root + ".checker..")
                .layer("smallscope")
                .definedBy(root + ".smallscope..")
                .layer("onlinecheck")
                .definedBy(root + ".onlinecheck..")
                .layer("atrest")
                .definedBy(root + ".atrest..")
                .whereLayer("protocol")
                .mayNotAccessAnyLayer()
                .whereLayer("runtime")
                .mayOnlyAccessLayers("protocol", "atrest")
                .whereLayer("atrest")
                .mayOnlyAccessLayers("protocol")
                .whereLayer("transport")
                .mayOnlyAccessLayers("protocol", "runtime", "wan")
                .whereLayer("simulator")
                .mayOnlyAccessLayers("protocol", "checker", "onlinecheck", "atrest")
                .whereLayer("onlinecheck")
                .mayOnlyAccessLayers("protocol")
                .whereLayer("smallscope")
                .mayOnlyAccessLayers("protocol", "simulator", "checker")
                .whereLayer("wan")
                .mayNotAccessAnyLayer();
    }

    static ArchRule noCycles(String root) {
        return slices().matching(root + ".(**)").should().beFreeOfCycles();
    }

    static ArchRule coreIsNotPublicBeyondItsPort(String root) {
        return classes()
                .that()
                .resideInAPackage(root + ".protocol..")
                .and(not(describe("are events, effects, messages or settings", Rules::isPort)))
                .should()
                .notBePublic()
                .as("the protocol core's parts are its own");
    }

    private static boolean isPort(JavaClass type) {
        if (type.getEnclosingClass().isPresent()) {
            return isPort(type.getEnclosingClass().get());
        }
        return Set.of(
                                "SequentialReads",
                                "Event",
                                "Effect",
                                "Message",
                                "Settings",
                                "Recovery",
                                "Now",
                                "NodeId",
                                "StreamId",
                                "MemoryUse",
                                "MovePatience",
                                "MoveSteps",
                                "MutationId",
                                "PartitionKey",
                                "Placement",
                                "ReplicaGroup",
                                "Update",
                                "History",
                                "Announcement",
                                "Awaited",
                                "ReadMode",
                                "Served")
                        .contains(type.getSimpleName())
                || type.getSimpleName().equals("package-info");
    }
}
