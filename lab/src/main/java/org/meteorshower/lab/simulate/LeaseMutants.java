/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import static org.meteorshower.lab.simulate.Edit.EMPTY_LIST;
import static org.meteorshower.lab.simulate.Edit.bodyGives;
import static org.meteorshower.lab.simulate.Edit.callGives;

import java.util.List;
import org.meteorshower.simulator.Kind;

/** What goes wrong with strict reads at home. */
final class LeaseMutants {
    private LeaseMutants() {}

    static List<Mutant> all() {
        return List.of(
                mutant("lease-not-needed", "reads and writes do without promises", patch("holds", bodyGives(true))),
                mutant(
                        "held-by-one-promise-less",
                        "one promise less is enough to hold",
                        patch("heldUntilNanos", callGives("ReplicaGroup", "readQuorum", 1))),
                mutant(
                        "holder-not-awaited",
                        "a mutation is complete when enough have pledged it, whomever they have promised",
                        new Patch("Completeness", "areAllPledged", bodyGives(true))),
                mutant(
                        "unknown-promises-are-none",
                        "whom a peer has promised counts for nobody until its first message",
                        new Patch("Completeness", "mayBePromised", bodyGives(false))),
                mutant(
                        "promises-forgotten",
                        "a node that restarts does not know that it may have promised",
                        patch("mayHavePromisedAnybody", bodyGives(false))),
                mutant(
                        "held-for-longer",
                        "a holder counts a promise for longer than who promised keeps it",
                        patch("heard", callGives("Message$Lease", "forMicros", 3_000_000L))),
                mutant(
                        "kept-for-less",
                        "who promised keeps to it for less than the holder counts on",
                        patch("keptNanos", bodyGives(100_000_000L))),
                mutant(
                        "stamped-is-pledged",
                        "a stamp ahead of the clock is taken for a pledge",
                        new Patch("Completeness", "clockOf", bodyGives(Long.MAX_VALUE))),
                mutant(
                        "due-not-awaited",
                        "a read does not wait for what is due",
                        new Patch("StrictAtHome", "choose", callGives("StrictAtHome", "due", EMPTY_LIST))),
                mutant(
                        "incomplete-shown",
                        "a read shows what another holder may not know of",
                        new Patch("StrictAtHome", "isAllComplete", bodyGives(true))),
                mutant(
                        "incomplete-retired",
                        "what a holder may not know of is retired",
                        new Patch("Retirement", "retire", callGives("Completeness", "isComplete", true))),
                mutant(
                        "incomplete-acknowledged",
                        "a write is acknowledged before all who hold know of it",
                        new Patch("WriteWorker", "isComplete", bodyGives(true))),
                mutant(
                        "written-without-holding",
                        "a node that does not hold gives a write its timestamp",
                        new Patch("WriteWorker", "started", callGives("Leases", "holds", true))),
                moving(
                        "moved-as-if-nothing-were-promised",
                        "a table is opened, and promises go on, while others still read under the name before",
                        new Patch("MoveSteps", "isAnyHeldUp", bodyGives(false)),
                        new Patch("Parts", "goesByTheSame", bodyGives(true))),
                moving(
                        "opened-by-newcomer",
                        "a node that comes anew opens a table while others still read under the name before",
                        new Patch("MoveSteps", "isAnyHeldUp", bodyGives(false))));
    }

    private static Mutant moving(String name, String mistake, Patch... patches) {
        return Mutant.within(name, Kind.LEASES_MOVE, mistake, patches);
    }

    private static Patch patch(String method, Edit edit) {
        return new Patch("Leases", method, edit);
    }

    private static Mutant mutant(String name, String mistake, Patch patch) {
        return Mutant.within(name, Kind.LEASES, mistake, patch);
    }
}
