/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import static org.meteorshower.lab.prove.Model.FALSE;
import static org.meteorshower.lab.prove.Model.TRUE;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Models of Catenae.tla, a lane, and of CatenaeOrder.tla, what is made of the lanes. */
final class CatenaeModels {
    private static final String REACHED = Model.PROBE;

    private static final List<String> LANE_RULES = List.of(
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
            "DecidedKept");

    private static final List<String> ORDER_RULES = List.of(
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
            "PinKept");

    private CatenaeModels() {}

    static List<Model> all() {
        Stream<List<Model>> quick = Stream.of(votes(), laneReached(), order(), merge(), orderReached());
        Stream<List<Model>> slow = Stream.of(lane(), deposed(), disks(), logs(), orderWithMore(), rows());
        return Stream.concat(
                        quick.flatMap(List::stream), slow.flatMap(List::stream).map(CatenaeModels::slow))
                .toList();
    }

    // --- one lane --------------------------------------------------------------------------------------------

    private static List<Model> lane() {
        return List.of(
                laneHolds("lane-taken-over", "a lane is taken over; a process dies")
                        .with("Crashes", "1"),
                laneHolds("lane-two-positions", "two positions, so that there may be holes")
                        .with("Last", "2"),
                laneHolds("lane-replaced", "a process takes another one's place while that lives")
                        .with("Zombies", "1"),
                laneHolds("lane-lost-disk", "a disk is lost").with("Losses", "1"),
                laneHolds("lane-truncated", "a log is truncated, a snapshot taken")
                        .with("Learners", "{1, 2}")
                        .with("Truncations", "1")
                        .with("Snapshots", "1"),
                laneHolds("floor-not-told", "the own floor alone protects what is truncated")
                        .with("FloorTold", FALSE)
                        .with("Truncations", "1")
                        .with("Candidates", "{2}")
                        .with("Learners", "{1}"),
                laneHolds("floor-not-kept", "the candidate's floor alone protects it, too")
                        .with("FloorKept", FALSE)
                        .with("Truncations", "1")
                        .with("Candidates", "{2}")
                        .with("Learners", "{1}"));
    }

    private static List<Model> votes() {
        return List.of(
                laneWithout(
                                "acknowledged-before-persisted",
                                "an acceptor tells of what is not durable",
                                "PersistedFirst")
                        .with("Crashes", "1"),
                laneWithout("fence-not-read", "a process that was replaced tells of its votes", "FenceRead")
                        .with("Zombies", "1"),
                laneWithout("takeover-without-phase-1", "nobody's promise is waited for", "MajorityPromises"),
                laneWithout("ballot-reused", "a restarted owner uses the ballot of its last life", "BallotsNew")
                        .with("Crashes", "1")
                        .with("Candidates", "{0}"),
                laneWithout("truncated-log-taken-for-holes", "neither floor protects", "FloorTold", "FloorKept")
                        .with("Truncations", "1")
                        .with("Candidates", "{2}")
                        .with("Learners", "{1}"),
                laneWithout("blank-disk-votes", "a data centre without its votes votes again", "BlankAsks")
                        .with("Losses", "1"),
                laneWithout("lost-vote-read-as-decided", "a vote that lost is read from the log", "LearnedWritten"));
    }

    private static List<Model> deposed() {
        return List.of(
                ofFive(laneWithout(
                                "led-on-after-a-foreign-decision",
                                "a leader goes on although others have decided",
                                "StepsDown"))
                        .with("Learners", "{0, 1, 4}"),
                ofFive(laneWithout(
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
                laneWithout(
                                "one-less-asked",
                                "a blank disk asks one less than a majority of the others",
                                "MajorityAsked")
                        .with("Losses", "1"),
                laneWithout("old-votes-count", "votes of a lost disk count with later ones", "OldVotesDropped")
                        .with("Losses", "1")
                        .with("Candidates", "{2}"),
                laneWithout("generation-forgotten", "a disk's generation is not on the others'", "GenerationDurable")
                        .with("Losses", "1")
                        .with("Crashes", "1")
                        .with("Candidates", "{2}"),
                laneWithout(
                                "generations-not-told",
                                "who loses its disk forgets which other disks were lost before",
                                "GenerationsTold")
                        .with("Losses", "2")
                        .with("Learners", "{}"));
    }

    private static List<Model> logs() {
        return List.of(
                laneWithout(
                                "settled-log-overwritten",
                                "a late vote that loses is written over what was decided",
                                "SureOfTheLog",
                                "DecidedKept")
                        .with("N", "5")
                        .with("Candidates", "{0, 4}")
                        .with("Learners", "{1, 2}")
                        .with("Rounds", "3"),
                laneWithout("settled-log-overwritten-late", "so is one of a process that was replaced", "SureOfTheLog")
                        .with("Zombies", "1")
                        .with("Candidates", "{0, 2}")
                        .with("Learners", "{0, 1}")
                        .with("Rounds", "3"),
                laneWithout("vote-lost-with-what-is-learned", "what is learned hides the own vote", "VoteKept")
                        .with("Crashes", "1")
                        .with("Learners", "{0, 2}"));
    }

    private static List<Model> laneReached() {
        return List.of(
                laneReached("an-entry-is-taken-over", "NobodyTakesOverAnEntry"),
                laneReached("two-lead", "NeverTwoLeaders"),
                laneReached("a-hole-is-filled", "NothingIsFilled").with("Last", "2"),
                laneReached("a-new-disk-votes", "NoNewDiskVotes").with("Losses", "1"),
                laneReached("a-candidate-is-below-a-floor", "NobodyIsBelowAFloor")
                        .with("Truncations", "1")
                        .with("Candidates", "{2}")
                        .with("Learners", "{1}"),
                laneReached("a-lost-vote-is-written-over", "NoVoteIsWrittenOver"));
    }

    private static Model lane(String name, String meaning, String invariant, boolean refuted) {
        Map<String, String> constants = new TreeMap<>(Map.of(
                "N", "3",
                "Last", "1",
                "Candidates", "{1}",
                "Learners", "{2}",
                "Rounds", "2",
                "Crashes", "0",
                "Zombies", "0",
                "Losses", "0",
                "Truncations", "0",
                "Snapshots", "0"));
        constants.put("Claims", FALSE);
        LANE_RULES.forEach(rule -> constants.put(rule, TRUE));
        return new Model(name, meaning, "Catenae", constants, invariant, refuted, true);
    }

    private static Model laneHolds(String name, String meaning) {
        return lane(name, meaning, "OneLog", false);
    }

    private static Model laneWithout(String name, String meaning, String... rules) {
        return without(lane(name, meaning, "OneLog", true), rules);
    }

    private static Model laneReached(String name, String never) {
        return lane(name, REACHED, never, true);
    }

    /** Not among those that take seconds. */
    private static Model slow(Model model) {
        return new Model(
                model.name(),
                model.meaning(),
                model.specification(),
                model.constants(),
                model.invariant(),
                model.refuted(),
                false);
    }

    private static Model without(Model model, String... rules) {
        Model left = model;
        for (String rule : rules) {
            left = left.with(rule, FALSE);
        }
        return left;
    }

    // --- what is made of the lanes ---------------------------------------------------------------------------

    private static List<Model> order() {
        return List.of(orderHolds("order", "two lanes, a request each"));
    }

    private static List<Model> orderWithMore() {
        return List.of(
                orderHolds("order-asked-again", "a client asks again").with("Retried", TRUE),
                forwarded(orderHolds("order-forwarded", "another data centre leads a lane")),
                orderHolds("order-redone", "rows are written behind, a process dies")
                        .with("Crashes", "1")
                        .with("Cuts", "2"),
                orderHolds("order-snapshot", "rows are written behind, a snapshot given")
                        .with("Cuts", "2")
                        .with("Snapshots", "1"));
    }

    private static Model forwarded(Model model) {
        return model.with("Takeovers", "1")
                .with("Askers", "{0}")
                .with("Requests", "1")
                .with("Epochs", "0");
    }

    private static List<Model> merge() {
        return List.of(
                orderWithout("replied-before-smaller-decided", "smaller entries are not waited for", "WaitsForSmaller"),
                orderWithout("merged-by-arrival", "entries are executed as they come", "MergedByEpoch"),
                orderWithout(
                        "epochs-not-raised", "an entry's epoch may be below that of the one before", "EpochsRaised"),
                orderWithout("no-deduplication", "a number runs as often as it comes", "Deduplicated")
                        .with("Retried", TRUE),
                forwarded(orderWithout(
                        "forwarded-more-than-once", "what the network brings twice is proposed twice", "TakenOnce")),
                forwarded(orderWithout(
                        "given-back-although-proposed",
                        "what was proposed is asked for again elsewhere",
                        "RefusedIfNotTaken")),
                orderWithout("asked-again-too-early", "so is what may yet be decided", "AgainIfDisplaced"),
                orderWithout("time-out-told-as-abort", "what is not known is told as not proposed", "UnknownTold"),
                orderWithout("strict-read-served-locally", "a strict read sees what is executed here", "ReadsOrdered")
                        .with("Reads", "{2}"));
    }

    private static List<Model> rows() {
        return List.of(
                orderWithout("done-before-rows", "a checkpoint is done before its rows are", "RowsBeforeDone")
                        .with("Crashes", "1")
                        .with("Cuts", "1"),
                orderWithout("newest-read-in-replay", "a new process reads what is ahead of it", "ReadAsOfCheckpoint")
                        .with("Crashes", "1")
                        .with("Cuts", "1"),
                orderWithout("past-not-kept", "a row's version as of the checkpoint is deleted", "VersionsKept")
                        .with("Crashes", "1")
                        .with("Cuts", "2"),
                orderReached("something-is-redone", "NothingIsRedone")
                        .with("Crashes", "1")
                        .with("Cuts", "1"),
                orderWithout("pin-ignored", "so is that of a snapshot that is being given", "PinKept")
                        .with("Cuts", "3")
                        .with("Snapshots", "1"));
    }

    private static List<Model> orderReached() {
        return List.of(
                orderReached("somebody-is-left-in-doubt", "NobodyIsLeftInDoubt").with("Crashes", "1"),
                orderReached("something-is-asked-again", "NothingIsAskedAgain"),
                forwarded(orderReached("something-is-forwarded", "NothingIsForwarded")),
                orderReached("a-snapshot-is-taken", "NoSnapshotIsTaken")
                        .with("Cuts", "1")
                        .with("Snapshots", "1"),
                orderReached("a-later-epoch-comes-first", "NoLaterEpochComesFirst"));
    }

    private static Model order(String name, String meaning, String invariant, boolean refuted) {
        Map<String, String> constants = new TreeMap<>(Map.of(
                "N", "2",
                "Last", "2",
                "Requests", "2",
                "Reads", "{}",
                "Askers", "{0, 1}",
                "Epochs", "1",
                "Idle", "1",
                "Takeovers", "0"));
        constants.putAll(Map.of("Retried", FALSE, "Crashes", "0", "Cuts", "0", "Snapshots", "0"));
        ORDER_RULES.forEach(rule -> constants.put(rule, TRUE));
        return new Model(name, meaning, "CatenaeOrder", constants, invariant, refuted, true);
    }

    private static Model orderHolds(String name, String meaning) {
        return order(name, meaning, "StrictlySerializable", false);
    }

    private static Model orderWithout(String name, String meaning, String... rules) {
        return without(order(name, meaning, "StrictlySerializable", true), rules);
    }

    private static Model orderReached(String name, String never) {
        return order(name, REACHED, never, true);
    }
}
