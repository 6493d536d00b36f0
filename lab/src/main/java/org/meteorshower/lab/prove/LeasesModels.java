/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import static org.meteorshower.lab.prove.Model.FALSE;

import java.util.List;
import java.util.Map;

/** Models of Leases.tla: promises for strict reads at home while the ring changes. */
final class LeasesModels {
    private static final Specification LEASES = Specification.of(
            "Leases",
            "ReadsMissNothing",
            List.of("HoldersAwaited", "RestartsRemembered", "SameNamesOnly", "MoveOutlasts", "NobodyHeldUp"),
            Map.of("Lease", "1", "Writes", "1", "Restarts", "0", "Readers", "{0}", "Ousted", FALSE));

    private LeasesModels() {}

    static List<Model> all() {
        return List.of(
                LEASES.holds("leases-move", "one replica displaced by another"),
                LEASES.holds("leases-ousted", "the displaced one lives, is off the ring, and is not waited for")
                        .withAll("Ousted"),
                LEASES.without("holders-not-awaited", "a replica vouches whomever it has promised", "HoldersAwaited"),
                LEASES.without(
                        "opened-while-held-up", "a node opens when those follow that it knows of", "NobodyHeldUp"),
                LEASES.without(
                                "promised-across-names",
                                "who goes by another name is promised something",
                                "SameNamesOnly")
                        .withAll("Ousted"),
                LEASES.without(
                                "move-before-promises-ended",
                                "a node says that all follow while its promises of before run",
                                "MoveOutlasts")
                        .withAll("Ousted"),
                LEASES.without("promises-forgotten", "who restarts has promised nothing", "RestartsRemembered")
                        .with("Restarts", "1"),
                LEASES.reached("a-reader-holds-while-others-follow", "ReaderNeverHoldsWhileOthersFollow"),
                LEASES.reached("a-write-is-complete-under-the-next-name", "NothingIsEverCompleteUnderY"),
                LEASES.reached("a-write-waits-for-a-holder", "NobodyWaitsForAHolder"),
                LEASES.holds("leases-move-restarts", "a node restarts once")
                        .with("Restarts", "1")
                        .slow(),
                LEASES.holds("leases-ousted-restarts", "the same, with one off the ring")
                        .withAll("Ousted")
                        .with("Restarts", "1")
                        .slow(),
                LEASES.holds("leases-move-two-restarts", "nodes restart twice")
                        .with("Restarts", "2")
                        .slow(),
                LEASES.holds("leases-move-two-readers", "one that stays reads, too")
                        .with("Readers", "{0, 1}")
                        .slow(),
                LEASES.holds("leases-move-two-writes", "two writes")
                        .with("Writes", "2")
                        .slow(),
                LEASES.holds("leases-move-longer", "promises last two ticks")
                        .with("Lease", "2")
                        .slow());
    }
}
