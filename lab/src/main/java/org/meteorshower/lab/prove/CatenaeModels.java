/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import static org.meteorshower.lab.prove.Model.FALSE;
import static org.meteorshower.lab.prove.Model.TRUE;

import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** Models of Catenae.tla, a lane, and of CatenaeOrder.tla, what is made of the lanes. */
final class CatenaeModels {
    private static final Specification LANE = Specification.of(
            "Catenae",
            "OneLog",
            List.of(
                    "PersistedFirst",
                    "FenceRead",
                    "MajorityPromises",
                    "BallotsNew",
                    "FloorTold",
                    "FloorKept",
                    "StepsDown",
                    "StepsDownOnSnapshot",
                    "BlankAsks",
                    "MajorityAsked",
                    "OldVotesDropped",
                    "GenerationDurable",
                    "GenerationsTold",
                    "LearnedWritten",
                    "SureOfTheLog",
                    "VoteKept",
                    "DecidedKept"),
            Map.ofEntries(
                    Map.entry("N", "3"),
                    Map.entry("Last", "1"),
                    Map.entry("Candidates", "{1}"),
                    Map.entry("Learners", "{2}"),
                    Map.entry("Rounds", "2"),
                    Map.entry("Crashes", "0"),
                    Map.entry("Zombies", "0"),
                    Map.entry("Losses", "0"),
                    Map.entry("Truncations", "0"),
                    Map.entry("Snapshots", "0"),
                    Map.entry("Claims", FALSE)));

    private static final Specification ORDER = Specification.of(
            "CatenaeOrder",
            "StrictlySerializable",
            List.of(
                    "WaitsForSmaller",
                    "MergedByEpoch",
                    "EpochsRaised",
                    "Deduplicated",
                    "TakenOnce",
                    "RefusedIfNotTaken",
                    "AgainIfDisplaced",
                    "UnknownTold",
                    "ReadsOrdered",
                    "RowsBeforeDone",
                    "ReadAsOfCheckpoint",
                    "VersionsKept",
                    "PinKept"),
            Map.ofEntries(
                    Map.entry("N", "2"),
                    Map.entry("Last", "2"),
                    Map.entry("Requests", "2"),
                    Map.entry("Reads", "{}"),
                    Map.entry("Askers", "{0, 1}"),
                    Map.entry("Epochs", "1"),
                    Map.entry("Idle", "1"),
                    Map.entry("Takeovers", "0"),
                    Map.entry("Retried", FALSE),
                    Map.entry("Crashes", "0"),
                    Map.entry("Cuts", "0"),
                    Map.entry("Snapshots", "0"),
                    Map.entry("Executors", "{0, 1}"),
                    Map.entry("Newcomers", "{}")));

    private CatenaeModels() {}

    static List<Model> all() {
        Stream<List<Model>> quick =
                Stream.of(lane(), votes(), fromTheMiddle(), laneReached(), order(), merge(), rows(), orderReached());
        Stream<Model> drawn =
                Stream.of(deposed(), disks(), replaced()).flatMap(List::stream).map(Model::drawn);
        Stream<Model> slow =
                Stream.of(laneWithMore(), orderWithMore()).flatMap(List::stream).map(Model::slow);
        return Stream.of(quick.flatMap(List::stream), drawn, slow)
                .flatMap(Function.identity())
                .toList();
    }

    // --- one lane --------------------------------------------------------------------------------------------

    private static List<Model> lane() {
        return List.of(
                LANE.holds("lane-taken-over", "a lane is taken over; a process dies")
                        .with("Crashes", "1"),
                LANE.holds("lane-lost-disk", "a disk is lost")
                        .with("Losses", "1")
                        .with("Rounds", "1"),
                LANE.holds("lane-two-positions-read", "two positions, and what one data centre makes of them")
                        .with("Last", "2")
                        .with("Rounds", "1"),
                LANE.holds("floor-not-kept", "the candidate's look at others' floors is enough")
                        .with("FloorKept", FALSE)
                        .with("Truncations", "1")
                        .with("Candidates", "{2}")
                        .with("Learners", "{1}"));
    }

    private static List<Model> laneWithMore() {
        return List.of(
                LANE.holds("lane-two-positions", "two positions, so that there may be holes")
                        .with("Last", "2")
                        .with("Learners", "{}"),
                LANE.holds("lane-replaced", "a process takes another one's place while that lives")
                        .with("Zombies", "1"),
                LANE.holds("lane-truncated", "a log is truncated, a snapshot taken")
                        .with("Learners", "{1, 2}")
                        .with("Truncations", "1")
                        .with("Snapshots", "1"));
    }

    private static List<Model> votes() {
        return List.of(
                LANE.without(
                                "acknowledged-before-persisted",
                                "an acceptor tells of what is not durable",
                                "PersistedFirst")
                        .with("Crashes", "1"),
                LANE.without("fence-not-read", "a process that was replaced tells of its votes", "FenceRead")
                        .with("Zombies", "1"),
                LANE.without("takeover-without-phase-1", "nobody's promise is waited for", "MajorityPromises"),
                LANE.without("ballot-reused", "a restarted owner uses the ballot of its last life", "BallotsNew")
                        .with("Crashes", "1")
                        .with("Candidates", "{0}"),
                LANE.without("truncated-log-taken-for-holes", "a candidate overlooks what is gone", "FloorTold")
                        .with("Truncations", "1")
                        .with("Candidates", "{2}")
                        .with("Learners", "{1}"),
                LANE.without("blank-disk-votes", "a data centre without its votes votes again", "BlankAsks")
                        .with("Losses", "1"),
                LANE.without("lost-vote-read-as-decided", "a vote that lost is read from the log", "LearnedWritten"),
                restarted(LANE.without(
                        "vote-lost-with-what-is-learned", "what is learned hides the own vote", "VoteKept")),
                restarted(LANE.holds("lane-restarted", "processes die after what they voted for is decided")));
    }

    private static List<Model> deposed() {
        return List.of(
                ofFive(LANE.without(
                                "led-on-after-a-foreign-decision",
                                "a leader goes on although others have decided",
                                "StepsDown"))
                        .with("Learners", "{0, 1, 4}"),
                ofFive(LANE.without(
                                "led-on-after-a-snapshot",
                                "a leader goes on although a snapshot covers where it is to propose",
                                "StepsDownOnSnapshot"))
                        .with("Learners", "{1, 4}")
                        .with("Snapshots", "1"));
    }

    /** A leader is cut off, deposed by three others, and heard by one that missed it. */
    private static Model ofFive(Model model) {
        return model.with("N", "5").with("Candidates", "{4}").with("Claims", TRUE);
    }

    private static List<Model> disks() {
        return List.of(
                LANE.without(
                                "one-less-asked",
                                "a blank disk asks one less than a majority of the others",
                                "MajorityAsked")
                        .with("Losses", "1"),
                LANE.without("old-votes-count", "votes of a lost disk count with later ones", "OldVotesDropped")
                        .with("Losses", "1")
                        .with("Candidates", "{2}"),
                LANE.without("generation-forgotten", "a disk's generation is not on the others'", "GenerationDurable")
                        .with("Losses", "1")
                        .with("Crashes", "1")
                        .with("Candidates", "{2}"));
    }

    private static List<Model> replaced() {
        return List.of(LANE.without(
                        "settled-log-overwritten-late",
                        "a late vote of a process that was replaced is written over what was decided",
                        "SureOfTheLog")
                .with("Zombies", "1")
                .with("Candidates", "{0, 2}")
                .with("Learners", "{0, 1}")
                .with("Rounds", "3"));
    }

    private static Model restarted(Model model) {
        return model.with("Crashes", "2")
                .with("Rounds", "1")
                .with("Candidates", "{2}")
                .with("Learners", "{0, 1}");
    }

    /** Each with the same where the rule is kept. */
    private static List<Model> fromTheMiddle() {
        return List.of(
                takenBack(LANE.without(
                        "settled-log-overwritten",
                        "a late vote that loses is written over what was decided",
                        "SureOfTheLog",
                        "DecidedKept")),
                takenBack(LANE.holds(
                        "lane-taken-back", "a lane is taken over and back; a vote for another entry is late")),
                twoDisksLost(LANE.without(
                        "generations-not-told",
                        "who loses its disk forgets which other disks were lost before",
                        "GenerationsTold")),
                twoDisksLost(
                        LANE.holds("lane-lost-disks", "a disk is lost whose vote is on its way, then another one")));
    }

    /** What 0 proposes has votes of 0 and 1; 4 takes over with 2 and 3, proposes another entry, and 0 takes back. */
    private static Model takenBack(Model model) {
        return model.with("N", "5")
                .with("Candidates", "{0, 4}")
                .with("Learners", "{1}")
                .after("Propose(0)", "Votes(0, 0)", "Votes(1, 0)")
                .after("Begin(4)", "Hears(2, 4)", "Hears(3, 4)", "Lead(4)", "Propose(4)")
                .after("Hears(0, 4)", "Begin(0)", "Hears(2, 0)", "Hears(3, 0)", "Lead(0)");
    }

    /**
     * What 0 proposes has votes of 0 and 1; 1 loses its disk and asks 2, 3 and 4, then 2 its own and asks 1, 3 and 4.
     */
    private static Model twoDisksLost(Model model) {
        return model.with("N", "5")
                .with("Losses", "2")
                .with("Candidates", "{4}")
                .with("Learners", "{}")
                .with("Rounds", "1")
                .after("Propose(0)", "Votes(0, 0)", "Votes(1, 0)")
                .after("Lose(1)", "Answer(2, 1)", "Answer(3, 1)", "Answer(4, 1)", "Rejoin(1)")
                .after("Lose(2)", "Answer(1, 2)", "Answer(3, 2)", "Answer(4, 2)", "Rejoin(2)");
    }

    private static List<Model> laneReached() {
        return List.of(
                LANE.reached("an-entry-is-taken-over", "NobodyTakesOverAnEntry"),
                LANE.reached("two-lead", "NeverTwoLeaders"),
                LANE.reached("a-hole-is-filled", "NothingIsFilled").with("Last", "2"),
                LANE.reached("a-new-disk-votes", "NoNewDiskVotes").with("Losses", "1"),
                LANE.reached("a-candidate-is-below-a-floor", "NobodyIsBelowAFloor")
                        .with("Truncations", "1")
                        .with("Candidates", "{2}")
                        .with("Learners", "{1}"),
                LANE.reached("a-lost-vote-is-written-over", "NoVoteIsWrittenOver"));
    }

    // --- what is made of the lanes ---------------------------------------------------------------------------

    private static List<Model> order() {
        return List.of(
                ORDER.holds("order", "two lanes, a request each"),
                ORDER.holds("order-asked-again", "a client asks again").with("Retried", TRUE),
                forwarded(ORDER.holds("order-forwarded", "another data centre leads a lane")),
                redone(ORDER.holds("order-redone", "rows are written behind, a process dies"))
                        .with("Last", "2")
                        .with("Idle", "1")
                        .with("Cuts", "2"),
                redone(ORDER.holds("order-read-again", "the same, and one of the requests is a strict read"))
                        .with("Last", "2")
                        .with("Idle", "1")
                        .with("Cuts", "2")
                        .with("Reads", "{1}"),
                newcomer(ORDER.holds("order-snapshot", "rows are written behind, a snapshot given")));
    }

    private static List<Model> orderWithMore() {
        return List.of(
                ORDER.holds("order-redone-by-epochs", "the same with epochs").slow());
    }

    private static Model forwarded(Model model) {
        return model.with("Takeovers", "1")
                .with("Askers", "{0}")
                .with("Requests", "1")
                .with("Epochs", "0");
    }

    /** One data centre's process begins again, and executes again. */
    private static Model redone(Model model) {
        return model.with("Executors", "{0}")
                .with("Crashes", "1")
                .with("Cuts", "1")
                .with("Epochs", "0")
                .with("Idle", "0")
                .with("Last", "1");
    }

    /** A data centre has nothing but what another one gives it. */
    private static Model newcomer(Model model) {
        return model.with("Newcomers", "{1}")
                .with("Askers", "{0}")
                .with("Snapshots", "1")
                .with("Cuts", "3")
                .with("Epochs", "0");
    }

    private static List<Model> merge() {
        return List.of(
                ORDER.without(
                        "replied-before-smaller-decided", "smaller entries are not waited for", "WaitsForSmaller"),
                ORDER.without("merged-by-arrival", "entries are executed as they come", "MergedByEpoch"),
                ORDER.without(
                        "epochs-not-raised", "an entry's epoch may be below that of the one before", "EpochsRaised"),
                ORDER.without("no-deduplication", "a number runs as often as it comes", "Deduplicated")
                        .with("Retried", TRUE),
                forwarded(ORDER.without(
                        "forwarded-more-than-once", "what the network brings twice is proposed twice", "TakenOnce")),
                forwarded(ORDER.without(
                        "given-back-although-proposed",
                        "what was proposed is asked for again elsewhere",
                        "RefusedIfNotTaken")),
                ORDER.without("asked-again-too-early", "so is what may yet be decided", "AgainIfDisplaced"),
                ORDER.without("time-out-told-as-abort", "what is not known is told as not proposed", "UnknownTold"),
                ORDER.without("strict-read-served-locally", "a strict read sees what is executed here", "ReadsOrdered")
                        .with("Reads", "{2}"));
    }

    private static List<Model> rows() {
        return List.of(
                redone(ORDER.without("done-before-rows", "a checkpoint is done before its rows are", "RowsBeforeDone")),
                redone(ORDER.without(
                                "newest-read-in-replay",
                                "a new process reads what is ahead of it",
                                "ReadAsOfCheckpoint"))
                        .with("Reads", "{1}"),
                redone(ORDER.without(
                                "past-not-kept", "a row's version as of the checkpoint is deleted", "VersionsKept"))
                        .with("Cuts", "2"),
                newcomer(ORDER.without("pin-ignored", "so is that of a snapshot that is being given", "PinKept")),
                redone(ORDER.reached("something-is-redone", "NothingIsRedone"))
                        .with("Last", "2")
                        .with("Idle", "1"));
    }

    private static List<Model> orderReached() {
        return List.of(
                ORDER.reached("somebody-is-left-in-doubt", "NobodyIsLeftInDoubt")
                        .with("Crashes", "1"),
                ORDER.reached("something-is-asked-again", "NothingIsAskedAgain"),
                forwarded(ORDER.reached("something-is-forwarded", "NothingIsForwarded")),
                ORDER.reached("a-snapshot-is-taken", "NoSnapshotIsTaken")
                        .with("Cuts", "1")
                        .with("Snapshots", "1"),
                ORDER.reached("a-later-epoch-comes-first", "NoLaterEpochComesFirst"));
    }
}
