/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/** What {@link Arrows} do not say: no cycles, and who is without time, chance, threads and the outside. */
public final class Rules {
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
            // In an order that each process chooses anew.
            "java.util.Map.copyOf",
            "java.util.Map.ofEntries",
            "java.util.Set.copyOf",
            "java.util.stream.Collectors.toUnmodifiableMap",
            "java.util.stream.Collectors.toUnmodifiableSet",
            "java.lang.Object.wait",
            "java.lang.Object.notify",
            "java.lang.Object.notifyAll");

    private Rules() {}

    /** No package uses one that uses it, over whatever way. */
    public static ArchRule noCycles() {
        return slices().matching("org.meteorshower.(**)").should().beFreeOfCycles();
    }

    /**
     * A pure state machine needs java.lang, java.util, the annotations of jspecify, and what is named; nothing else.
     */
    public static ArchRule usesOnlyJavaLangAndUtil(
            DescribedPredicate<JavaClass> core, DescribedPredicate<? super JavaClass> others) {
        return classes()
                .that(core)
                .should()
                .onlyDependOnClassesThat(core.or(others)
                        .or(resideInAPackage("java.util"))
                        .or(resideInAPackage("java.util.function"))
                        .or(resideInAPackage("java.util.stream"))
                        .or(resideInAPackage("java.lang"))
                        .or(resideInAPackage("java.lang.invoke"))
                        .or(resideInAPackage("java.lang.runtime"))
                        .or(resideInAPackage("java.lang.annotation"))
                        .or(resideInAPackage("org.jspecify.annotations"))
                        .or(describe("primitives and arrays of them", Rules::isPrimitive)))
                .as("the core uses java.lang, java.util and jspecify only");
    }

    private static boolean isPrimitive(JavaClass type) {
        return type.getBaseComponentType().isPrimitive();
    }

    public static ArchRule noTimeChanceOrThreads(DescribedPredicate<JavaClass> core) {
        return noClasses()
                .that(core)
                .should()
                .dependOnClassesThat(describe("bring time, chance, threads or I/O in", Rules::isBanned))
                .orShould()
                .accessTargetWhere(bannedCall())
                .as("the core has no clock, no randomness, no threads and no I/O");
    }

    /** A simulator has chance, from its seed, and time of its own. */
    public static ArchRule onlySimulatedTimeAndSeededChance(DescribedPredicate<JavaClass> simulator) {
        DescribedPredicate<JavaAccess<?>> unseeded = describe(
                "make a random generator without a seed",
                access -> access.getName().equals("<init>")
                        && access.getTargetOwner().getName().startsWith("java.util.")
                        && access.getTargetOwner().getName().endsWith("Random")
                        && access.getTarget().getFullName().endsWith("()"));
        return noClasses()
                .that(simulator)
                .should()
                .accessTargetWhere(bannedCall().or(unseeded))
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.(time\\..*|lang\\.Thread|util\\.Date|security\\..*|util\\.concurrent\\..*)")
                .as("the simulator knows only simulated time and its seed's chance");
    }

    /** Nested classes go with the one around them. */
    public static ArchRule onlyThesePublic(String packages, Set<String> names) {
        return classes()
                .that()
                .resideInAPackage(packages)
                .and(not(describe("are named", type -> isNamed(type, names))))
                .should()
                .notBePublic()
                .as("the core's parts are its own");
    }

    private static boolean isNamed(JavaClass type, Set<String> names) {
        if (type.getEnclosingClass().isPresent()) {
            return isNamed(type.getEnclosingClass().get(), names);
        }
        return names.contains(type.getSimpleName()) || type.getSimpleName().equals("package-info");
    }

    private static boolean isBanned(JavaClass type) {
        return BANNED_CLASSES.contains(type.getBaseComponentType().getName());
    }

    private static DescribedPredicate<JavaAccess<?>> bannedCall() {
        return describe(
                "ask for the time, for chance or for the surroundings",
                access -> BANNED_CALLS.contains(access.getTargetOwner().getName() + "." + access.getName())
                        || isOfSeveral(access));
    }

    /** Like a copy, {@code Set.of(a, b)} has an order that each process chooses anew; with one element it has none. */
    private static boolean isOfSeveral(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getName();
        if (!access.getName().equals("of") || !(access.getTarget() instanceof AccessTarget.CodeUnitCallTarget called)) {
            return false;
        }
        int arguments = called.getRawParameterTypes().size();
        return (owner.equals("java.util.Map") && arguments > 2)
                || (owner.equals("java.util.Set")
                        && (arguments > 1
                                || called.getRawParameterTypes().stream().anyMatch(JavaClass::isArray)));
    }
}
