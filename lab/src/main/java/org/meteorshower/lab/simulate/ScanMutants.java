/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import static org.meteorshower.lab.simulate.CatenaeMutants.ROOT;
import static org.meteorshower.lab.simulate.CatenaeMutants.mutant;
import static org.meteorshower.lab.simulate.CatenaeMutants.patch;
import static org.meteorshower.lab.simulate.Edit.bodyGives;
import static org.meteorshower.lab.simulate.Edit.callGives;

import java.util.List;
import org.meteorshower.transactions.simulator.Kind;

/** Mistakes in what lets a scan read the users' tables. */
final class ScanMutants {
    private ScanMutants() {}

    static List<CatenaeMutant> all() {
        return List.of(
                mutant(
                        "scan-before-the-tables",
                        Kind.SCANS,
                        "a scan does not wait until the tables hold what was acknowledged before it",
                        patch(
                                "storage.TableWaits",
                                "look",
                                callGives(ROOT + "storage.Checkpoints", "held", Long.MAX_VALUE))),
                mutant(
                        "scan-among-strays",
                        Kind.SCANS,
                        "a scan does not wait until a snapshot's tables have lost what was deleted elsewhere",
                        patch("storage.EarlierEditions", "areForgotten", bodyGives(true))));
    }
}
