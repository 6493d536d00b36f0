/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import java.util.List;
import org.meteorshower.transactions.simulator.Kind;

/**
 * A mistake in the core of the transactions that the verifiers must find.
 *
 * @param name in kebab-case
 * @param meaning in a few words
 * @param kind the plans that show it
 */
record CatenaeMutant(String name, String meaning, Kind kind, List<Patch> patches) {
    /** @throws IllegalStateException if a patch finds nothing to change */
    CatenaeRuns runs() {
        return CatenaeRuns.of(patches);
    }

    /** Replays one seed of it. */
    String command(long seed) {
        return "./meteor simulate --model catenae --seed " + seed + " --kind " + kind.word() + " --mutant " + name;
    }
}
