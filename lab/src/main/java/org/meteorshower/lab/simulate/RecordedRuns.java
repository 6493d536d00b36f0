/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.meteorshower.simulator.Bug;
import org.meteorshower.simulator.RecordedRun;

/** Simulated runs, written down for the specification of sequential reads: of the core, or of one with a mistake. */
public final class RecordedRuns {
    private static final String PACKAGE = "org.meteorshower.simulator.";

    /** Mistakes that the specification has words for, and that three replicas with a few writes can show. */
    private static final Set<String> EXPRESSIBLE = Set.of(
            "ignore-token",
            "write-token-dropped",
            "token-not-authenticated",
            "acknowledgement-without-applied",
            "retry-as-second-write",
            "token-of-first-acknowledgement",
            "acknowledged-by-one",
            "stamped-after-applied",
            "applied-lost-in-crash",
            "journal-lost",
            "journal-not-reannounced",
            "overlay-ignored",
            "rest-seen-through-announcements",
            "settle-with-new-timestamp",
            "no-hlc-merge",
            "ts-not-above-token",
            "stamp-below-timestamp",
            "promise-broken-by-20-ms",
            "undecided-served",
            "coverage-of-one",
            "silence-counted-as-applied",
            "absent-taken-for-present",
            "gap-counted",
            "snapshot-empty",
            "stream-of-old-incarnation",
            "dropped-at-w",
            "retired-without-acknowledgement",
            "effect-twice",
            "journal-late",
            "goes-on-after-failure");

    /** Those that it has words for, too, and that these plans hardly ever show. */
    private static final Set<String> HARDLY_DRAWN = Set.of(
            "read-unconfirmed",
            "rest-not-confirmed",
            "ceiling-lost",
            "hlc-ceiling-missing",
            "restarted-counted-at-once",
            "version-not-checked",
            "promise-before-all-is-told",
            "retired-floor-forgotten",
            "effects-reversed");

    private interface Recorder {
        List<String> record(long seed);
    }

    private final Recorder recorder;

    private RecordedRuns(Recorder recorder) {
        this.recorder = recorder;
    }

    /** Of the core as it is. */
    public static RecordedRuns ofCore() {
        return new RecordedRuns(seed -> RecordedRun.of(seed, Bug.NONE));
    }

    /**
     * Of a core with this mistake.
     *
     * @throws IllegalArgumentException if none is called so; the message lists them
     */
    public static RecordedRuns of(String mutant) {
        if (!EXPRESSIBLE.contains(mutant) && !HARDLY_DRAWN.contains(mutant)) {
            throw new IllegalArgumentException("no mutant that the specification has words for is called " + mutant
                    + "; there are " + String.join(", ", mutants()) + "; and, hardly ever drawn, "
                    + HARDLY_DRAWN.stream().sorted().collect(Collectors.joining(", ")));
        }
        Mutant mistake = Mutants.named(mutant);
        return new RecordedRuns(
                mistake.patches().isEmpty()
                        ? seed -> RecordedRun.of(seed, mistake.bug())
                        : new Patched(new PatchedClasses(mistake.patches())));
    }

    /** The names of those that some seed is known to show. */
    public static List<String> mutants() {
        return Mutants.all().stream()
                .map(Mutant::name)
                .filter(EXPRESSIBLE::contains)
                .toList();
    }

    /** What it does wrong. */
    public static String meaning(String mutant) {
        return Mutants.named(mutant).meaning();
    }

    /**
     * @return as of {@link RecordedRun#of}
     * @throws RuntimeException if the core gives up
     */
    public List<String> record(long seed) {
        return recorder.record(seed);
    }

    private static final class Patched implements Recorder {
        private final Method of;
        private final Object noBug;

        Patched(PatchedClasses classes) {
            try {
                Class<?> bugs = classes.loadClass(PACKAGE + "Bug");
                noBug = bugs.getField("NONE").get(null);
                of = classes.loadClass(PACKAGE + "RecordedRun").getMethod("of", long.class, bugs);
            } catch (ReflectiveOperationException e) {
                throw PatchedClasses.notWhatItWas(e);
            }
        }

        @Override
        @SuppressWarnings("unchecked") // the method's own type
        public List<String> record(long seed) {
            try {
                return (List<String>) of.invoke(null, seed, noBug);
            } catch (InvocationTargetException e) {
                if (e.getCause() instanceof RuntimeException broken) {
                    throw broken;
                }
                throw new IllegalStateException("the patched core could not be run", e.getCause());
            } catch (ReflectiveOperationException e) {
                throw PatchedClasses.notWhatItWas(e);
            }
        }
    }
}
