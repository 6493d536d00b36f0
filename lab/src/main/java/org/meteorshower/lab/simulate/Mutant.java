/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.util.List;
import org.meteorshower.simulator.Bug;
import org.meteorshower.simulator.Kind;

/**
 * A mistake that the verifiers must find.
 *
 * @param name in kebab-case
 * @param meaning in a few words
 * @param kind the plans that show it
 * @param bug the mistake of whoever embeds the core, or NONE
 * @param patches the mistakes within the core; none where {@code bug} is one
 */
record Mutant(String name, String meaning, Kind kind, Bug bug, List<Patch> patches) {
    static Mutant around(String name, Bug bug, Kind kind, String meaning) {
        return new Mutant(name, meaning, kind, bug, List.of());
    }

    static Mutant within(String name, Kind kind, String meaning, Patch... patches) {
        return new Mutant(name, meaning, kind, Bug.NONE, List.of(patches));
    }

    /**
     * @throws IllegalStateException if a patch finds nothing to change: then the runs would be of a core that is right
     */
    Runs runs() {
        return patches.isEmpty() ? Runs.of(bug) : new PatchedRuns(patches);
    }

    /** Replays one seed of it. */
    String command(long seed) {
        return "./meteor simulate --seed " + seed + " --kind " + kind.word() + " --mutant " + name;
    }
}
