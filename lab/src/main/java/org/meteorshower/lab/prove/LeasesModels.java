/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import static org.meteorshower.lab.prove.Model.FALSE;
import static org.meteorshower.lab.prove.Model.TRUE;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Models of Leases.tla: promises for strict reads at home while the ring changes. */
final class LeasesModels {
    private static final String SAFE = "ReadsMissNothing";

    private LeasesModels() {}

    static List<Model> all() {
        return List.of(
                holds("leases-move", "one replica displaced by another", true),
                holds(
                        "leases-ousted",
                        "the displaced one lives, is off the ring, and is not waited for",
                        true,
                        "Ousted"),
                refuted("holders-not-awaited", "a replica vouches whomever it has promised", "HoldersAwaited"),
                refuted("opened-while-held-up", "a node opens when those follow that it knows of", "NobodyHeldUp"),
                refuted(
                        "promised-across-names",
                        "who goes by another name is promised something",
                        "SameNamesOnly",
                        "Ousted"),
                refuted(
                        "move-before-promises-ended",
                        "a node says that all follow while its promises of before run",
                        "MoveOutlasts",
                        "Ousted"),
                leases("promises-forgotten", "who restarts has promised nothing", SAFE, true, true)
                        .with("RestartsRemembered", FALSE)
                        .with("Restarts", "1"),
                reached("a-reader-holds-while-others-follow", "ReaderNeverHoldsWhileOthersFollow"),
                reached("a-write-is-complete-under-the-next-name", "NothingIsEverCompleteUnderY"),
                reached("a-write-waits-for-a-holder", "NobodyWaitsForAHolder"),
                holds("leases-move-restarts", "a node restarts once", false).with("Restarts", "1"),
                holds("leases-ousted-restarts", "the same, with one off the ring", false, "Ousted")
                        .with("Restarts", "1"),
                holds("leases-move-two-restarts", "nodes restart twice", false).with("Restarts", "2"),
                holds("leases-move-two-readers", "one that stays reads, too", false)
                        .with("Readers", "{0, 1}"),
                holds("leases-move-two-writes", "two writes", false).with("Writes", "2"),
                holds("leases-move-longer", "promises last two ticks", false).with("Lease", "2"));
    }

    private static Model leases(String name, String meaning, String invariant, boolean refuted, boolean quick) {
        Map<String, String> constants = new TreeMap<>(Map.of(
                "Lease", "1",
                "Writes", "1",
                "Restarts", "0",
                "Readers", "{0}",
                "Ousted", FALSE,
                "HoldersAwaited", TRUE,
                "RestartsRemembered", TRUE,
                "SameNamesOnly", TRUE,
                "MoveOutlasts", TRUE,
                "NobodyHeldUp", TRUE));
        return new Model(name, meaning, "Leases", constants, invariant, refuted, quick);
    }

    private static Model holds(String name, String meaning, boolean quick, String... set) {
        return leases(name, meaning, SAFE, false, quick).withAll(set);
    }

    private static Model refuted(String name, String meaning, String rule, String... set) {
        return leases(name, meaning, SAFE, true, true).with(rule, FALSE).withAll(set);
    }

    private static Model reached(String name, String never) {
        return leases(name, Model.PROBE, never, true, true);
    }
}
