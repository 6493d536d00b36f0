/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import static org.meteorshower.lab.simulate.CatenaeMutants.ROOT;
import static org.meteorshower.lab.simulate.CatenaeMutants.mutant;
import static org.meteorshower.lab.simulate.CatenaeMutants.patch;
import static org.meteorshower.lab.simulate.Edit.NOTHING;
import static org.meteorshower.lab.simulate.Edit.bodyGives;
import static org.meteorshower.lab.simulate.Edit.callGives;

import java.util.List;
import org.meteorshower.transactions.simulator.Kind;

/** Mistakes in how values end. */
final class EndMutants {
    private static final String ENDS = "storage.ExpiringRows";

    private EndMutants() {}

    static List<CatenaeMutant> all() {
        return List.of(
                mutant(
                        "renewed-ends-all-the-same",
                        Kind.ENDS,
                        "what was set anew, and ends later, is taken away with what has ended",
                        patch(
                                "chains.Requests",
                                "expired",
                                callGives(ROOT + "log.Request$ExpireRows", "byMillis", Long.MAX_VALUE))),
                mutant(
                        "ends-by-any-clock",
                        Kind.ENDS,
                        "a data centre goes by its own clock, also where that is far from all others",
                        patch("clocks.PeerClocks", "aligned", callGives("java.lang.Math", "abs", 0L))),
                mutant(
                        "looked-at-before-it-is-written",
                        Kind.ENDS,
                        "what was due while a cut was being written is not looked at again",
                        patch(ENDS, "cutIsWritten", bodyGives(NOTHING))),
                mutant(
                        "noted-though-looked-at",
                        Kind.ENDS,
                        "a row is not noted anew although its note has been looked at already",
                        patch("storage.Checkpoints", "tick", callGives(ROOT + ENDS, "lookedAtBelow", 0L))));
    }
}
