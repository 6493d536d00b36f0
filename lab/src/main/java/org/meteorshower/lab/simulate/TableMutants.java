/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import static org.meteorshower.lab.simulate.Edit.NOTHING;
import static org.meteorshower.lab.simulate.Edit.bodyGives;
import static org.meteorshower.lab.simulate.Edit.callGives;
import static org.meteorshower.lab.simulate.Mutant.around;
import static org.meteorshower.lab.simulate.Mutant.within;

import java.util.List;
import org.meteorshower.simulator.Bug;
import org.meteorshower.simulator.Kind;

/** Mistakes about what whole tables go through: they are disabled, and their replicas change. */
final class TableMutants {
    private TableMutants() {}

    /** What goes wrong while a table is disabled, or enabled again. */
    static List<Mutant> disabling() {
        return List.of(
                around(
                        "disabled-without-wait",
                        Bug.DISABLED_WITHOUT_WAIT,
                        Kind.DISABLED,
                        "a disabled table is an ordinary one before the others have given it up"),
                around(
                        "ending-forgotten-in-restart",
                        Bug.ENDING_FORGOTTEN_IN_RESTART,
                        Kind.DISABLED,
                        "a node that restarts while a table is being disabled does not wait"),
                around(
                        "one-ending-at-a-time",
                        Bug.ONE_ENDING_AT_A_TIME,
                        Kind.DISABLED,
                        "only the last name of a disabled table is waited for"),
                around(
                        "ordinary-answer-late",
                        Bug.ORDINARY_ANSWER_LATE,
                        Kind.DISABLED,
                        "an ordinary answer is passed on though the table was enabled meanwhile"),
                around(
                        "ordinary-answer-without-token",
                        Bug.ORDINARY_ANSWER_WITHOUT_TOKEN,
                        Kind.DISABLED,
                        "an ordinary answer brings no token"),
                within(
                        "rest-not-awaited",
                        Kind.ENABLED,
                        "a table is over though a replica may have stamped what is not in its store yet",
                        new Patch("EndedTables", "isOver", callGives("EndedTables", "haveAwaitedGivenUp", true))),
                within(
                        "left-counted-as-given-up",
                        Kind.DISABLED,
                        "a node that has left a name for another one counts as one that has given it up",
                        new Patch("PeerTables", "isWithout", callGives("PeerTables$Said", "hasLeft", false))),
                within(
                        "given-up-counted-as-silent",
                        Kind.DISABLED,
                        "silence about a table that was given up counts as not applied",
                        new Patch(
                                "SequentialReads", "disable", callGives("StatusMessageDispatcher", "endAll", NOTHING)),
                        new Patch("TableStates", "withdrawn", bodyGives(NOTHING)),
                        new Patch("TableStates", "received", callGives("MessageReceiver", "askAnew", NOTHING))));
    }

    /** What goes wrong while a table that holds data is enabled. */
    static List<Mutant> enabling() {
        return List.of(
                around(
                        "plain-answer-late",
                        Bug.PLAIN_ANSWER_LATE,
                        Kind.ENABLED,
                        "a plain read is answered though the node has vouched for the table meanwhile"),
                around(
                        "live-again",
                        Bug.LIVE_AGAIN,
                        Kind.ENABLED,
                        "a node that may have vouched for the table in an earlier life reads it plainly"),
                around(
                        "stores-not-awaited",
                        Bug.STORES_NOT_AWAITED,
                        Kind.ENABLED,
                        "a write of a table that is read plainly is acknowledged by stamps alone"),
                around(
                        "receipt-before-stored",
                        Bug.RECEIPT_BEFORE_STORED,
                        Kind.ENABLED,
                        "a status message says of a write that it is stored when it is stamped"),
                within(
                        "repair-before-the-question",
                        Kind.ENABLED,
                        "another's repair counts though it began before it was asked for",
                        new Patch("OwnRepair", "asked", callGives("OwnRepair", "isIncluded", true))),
                within(
                        "question-of-an-earlier-life",
                        Kind.ENABLED,
                        "another's repair counts because an earlier life of this node had asked for it",
                        new Patch("OwnRepair", "isKnown", callGives("OwnRepair$Asked", "is", true)),
                        new Patch("OwnRepair", "isIncluded", callGives("OwnRepair$Asked", "is", true))),
                around(
                        "repair-read-untaken",
                        Bug.REPAIR_READ_UNTAKEN,
                        Kind.MOVES,
                        "a repair by reads has ended though no replica has taken what it lacked"),
                within(
                        "forgotten-by-all-awaited",
                        Kind.ENABLED,
                        "nodes wait for each other, for what all have forgotten",
                        new Patch("Baselines", "isForgotten", bodyGives(false))));
    }

    /** What goes wrong while nodes join, leave, or are replaced. */
    static List<Mutant> moving() {
        return List.of(
                around(
                        "epoch-named-by-ring-alone",
                        Bug.EPOCH_NAMED_BY_RING_ALONE,
                        Kind.MOVES_IN_A_ROW,
                        "a ring that comes back brings its epoch's name back"),
                around(
                        "one-name-for-all-epochs",
                        Bug.ONE_NAME_FOR_ALL_EPOCHS,
                        Kind.MOVES,
                        "stamps of the old epoch count in the new one"),
                around(
                        "old-epoch-served",
                        Bug.OLD_EPOCH_SERVED,
                        Kind.MOVES,
                        "a node that follows the new epoch serves the old one"),
                around(
                        "ousted-still-told",
                        Bug.OUSTED_STILL_TOLD,
                        Kind.MOVES_OUSTING,
                        "a node that was replaced alive still hears what others apply"),
                around(
                        "ousted-still-told-of-another-table",
                        Bug.OUSTED_STILL_TOLD_OF_ANOTHER,
                        Kind.MOVES_OUSTING,
                        "the same where they share another table, which goes over later"),
                within(
                        "stranger-gets-a-stream",
                        Kind.MOVES_OUSTING,
                        "a node that is no peer gets a stream",
                        new Patch("Messages", "on", callGives("java.util.Set", "contains", true))),
                around(
                        "baseline-without-repair",
                        Bug.BASELINE_WITHOUT_REPAIR,
                        Kind.MOVES,
                        "a baseline is confirmed and nothing was repaired"),
                within(
                        "left-by-a-peer-unasked",
                        Kind.THERE_AND_BACK,
                        "data that came from a later epoch is taken for the present one's",
                        new Patch("Readiness", "hasToldSince", callGives("Message$TableReport", "left", false))),
                around(
                        "moved-journal-forgotten",
                        Bug.MOVED_JOURNAL_FORGOTTEN,
                        Kind.MOVES_AND_RESTARTS,
                        "a node that restarts after a move forgets what its journal promised before"),
                within(
                        "unvouched-data-counted",
                        Kind.MOVES,
                        "data may come from a peer that does not vouch for what it holds",
                        new Patch("Readiness", "hasToldSince", callGives("Message$TableReport", "baseline", true))),
                within(
                        "forgotten-called-done-with",
                        Kind.MOVES_UNSETTLED,
                        "a node calls done with what it stamped and had to forget",
                        new Patch("Settler", "isDoneWith", callGives("TableFilling", "knowsAllItStamped", true))));
    }

    /** What goes wrong where a table that has moved is used again before it is repaired. */
    static List<Mutant> carrying() {
        return List.of(
                within(
                        "opened-before-all-follow",
                        Kind.LIVE_MOVES,
                        "a moved table is used again while others may serve it under its earlier name",
                        new Patch("MoveSteps", "next", callGives("MoveSteps", "allFollow", true))),
                within(
                        "acknowledged-between",
                        Kind.LIVE_MOVES,
                        "a replica acknowledges what it stamped while others may serve the earlier name",
                        new Patch("ApplyWorker", "acknowledging", callGives("TableMoves", "isHeld", false))));
    }
}
