/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import static org.meteorshower.lab.simulate.CatenaeMutants.ROOT;
import static org.meteorshower.lab.simulate.CatenaeMutants.mutant;
import static org.meteorshower.lab.simulate.CatenaeMutants.patch;
import static org.meteorshower.lab.simulate.Edit.callGives;

import java.util.List;
import org.meteorshower.transactions.simulator.Kind;

/** Mistakes in how data centres go on to another format. */
final class FormatMutants {
    private static final String USE = "log.FormatUse";

    private FormatMutants() {}

    static List<CatenaeMutant> all() {
        return List.of(
                mutant(
                        "goes-on-before-all-noted",
                        Kind.FORMATS,
                        "a data centre goes on to a format although not all have noted the one before it",
                        patch(USE, "next", callGives(ROOT + USE, "hasNoted", true))),
                mutant(
                        "fronts-proposed-at-once",
                        Kind.FORMATS,
                        "entries with fronts are proposed whatever the others can read",
                        patch("Forms", "uses", callGives(ROOT + "Forms", "proposesFronts", true))));
    }
}
