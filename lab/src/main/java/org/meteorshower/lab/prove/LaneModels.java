/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import static org.meteorshower.lab.prove.Model.FALSE;
import static org.meteorshower.lab.prove.Model.TRUE;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Models of Catenae.tla: one lane. */
final class LaneModels {
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
                    "DecidedKept",
                    "PromisedOnce",
                    "QuorumComplete",
                    "SameQuorum",
                    "ClosedBehind"),
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
                    Map.entry("Claims", FALSE),
                    Map.entry("Heirs", "{}"),
                    Map.entry("Quorums", "{}")));

    private LaneModels() {}

    static List<Model> all() {
        Stream<Model> quick = Stream.of(holds(), votes(), disks(), revocations(), fromTheMiddle(), reached())
                .flatMap(List::stream);
        Stream<Model> slow =
                Stream.of(holdsInMore(), revokedInMore()).flatMap(List::stream).map(Model::slow);
        return Stream.concat(quick, slow).toList();
    }

    private static List<Model> holds() {
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

    private static List<Model> holdsInMore() {
        return List.of(
                LANE.holds("lane-two-positions", "two positions, so that there may be holes")
                        .with("Last", "2")
                        .with("Learners", "{}"),
                lost(LANE.holds("lane-lost-disk-led-again", "a disk is lost, and who led leads again"))
                        .with("Rounds", "2"),
                LANE.holds("lane-lost-disk-truncated", "a disk is lost, a log truncated, which may be the same one's")
                        .with("Losses", "1")
                        .with("Truncations", "1")
                        .with("Rounds", "1")
                        .with("Candidates", "{2}")
                        .with("Learners", "{1}"),
                LANE.holds("lane-lost-disk-snapshot", "a disk is lost, a snapshot taken")
                        .with("Losses", "1")
                        .with("Snapshots", "1")
                        .with("Rounds", "1")
                        .with("Candidates", "{2}")
                        .with("Learners", "{1}"),
                lost(LANE.holds("lane-lost-disk-restarted", "a disk is lost, a process dies"))
                        .with("Crashes", "1")
                        .with("Candidates", "{2}"),
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

    private static List<Model> disks() {
        return List.of(
                lost(LANE.without(
                        "one-less-asked", "a blank disk asks one less than a majority of the others", "MajorityAsked")),
                lost(LANE.without("old-votes-count", "votes of a lost disk count with later ones", "OldVotesDropped"))
                        .with("Candidates", "{2}"),
                lost(LANE.without(
                                "generation-forgotten",
                                "a disk's generation is not on the others'",
                                "GenerationDurable"))
                        .with("Crashes", "1")
                        .with("Candidates", "{2}")
                        .slow());
    }

    private static List<Model> revocations() {
        return List.of(
                revoked(LANE.holds("lane-revoked", "0 is passed over, for 1 to lead")),
                named(LANE.without("promise-told-twice", "a ballot is promised again", "PromisedOnce"))
                        .with("Heirs", "{1}"),
                revoked(LANE.without("quorum-not-complete", "one promise is not waited for", "QuorumComplete")),
                named(LANE.without("another-quorum-counts", "a promise to another quorum counts", "SameQuorum"))
                        .with("Heirs", "{1}"),
                revoked(LANE.without(
                        "closed-over-accepted", "a lane is closed over what was accepted", "ClosedBehind")));
    }

    private static List<Model> revokedInMore() {
        return List.of(
                named(LANE.holds("lane-revoked-by-any", "any heir and any quorum may be named")),
                revoked(LANE.holds("lane-revoked-two-positions", "two positions: what closes the lane is voted for"))
                        .with("Last", "2"),
                revoked(LANE.holds("lane-revoked-and-taken-back", "its owner takes the lane back"))
                        .with("Candidates", "{0}")
                        .with("Rounds", "3"),
                revoked(LANE.holds("lane-revoked-restarted", "a process dies")).with("Crashes", "1"),
                revoked(LANE.holds("lane-revoked-replaced", "a process is replaced and goes on"))
                        .with("Zombies", "1"),
                revoked(LANE.holds("lane-revoked-lost-disk", "a disk is lost")).with("Losses", "1"),
                revoked(LANE.holds("lane-revoked-truncated", "a log is truncated, a snapshot taken"))
                        .with("Learners", "{1}")
                        .with("Truncations", "1")
                        .with("Snapshots", "1"));
    }

    /** Whoever passes over 0 names 1 and 2, and 1 to lead. */
    private static Model revoked(Model model) {
        return named(model).with("Heirs", "{1}").with("Quorums", "{{1, 2}}");
    }

    /** What is told is looked at, not what somebody makes of it. */
    private static Model named(Model model) {
        return model.with("Heirs", "{0, 1, 2}")
                .with("Quorums", "{{0, 1}, {0, 2}, {1, 2}}")
                .with("Candidates", "{}")
                .with("Learners", "{}");
    }

    /** What is told is looked at, not what somebody makes of it. */
    private static Model lost(Model model) {
        return model.with("Losses", "1").with("Rounds", "1").with("Learners", "{}");
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
                replaced(LANE.without(
                        "settled-log-overwritten-late",
                        "a late vote of a process that was replaced is written over what was decided",
                        "SureOfTheLog")),
                replaced(LANE.holds(
                        "lane-replaced-and-taken-back",
                        "a lane is taken over and back; a process that was replaced votes late")),
                deposed(LANE.without(
                        "led-on-after-a-foreign-decision",
                        "a leader goes on although others have decided",
                        "StepsDown")),
                deposed(LANE.without(
                                "led-on-after-a-snapshot",
                                "a leader goes on although a snapshot covers where it is to propose",
                                "StepsDownOnSnapshot"))
                        .with("Learners", "{1, 4}"),
                deposed(LANE.holds("lane-deposed", "a leader that is idle is deposed, and learns what was decided")),
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
     * What 0 proposes has the vote of 1, whose process is replaced; 2 takes over with 0, proposes another entry, and 0
     * takes back with 1: what it has proposed has votes of 0 and 2.
     */
    private static Model replaced(Model model) {
        return model.with("Zombies", "1")
                .with("Candidates", "{0, 2}")
                .with("Learners", "{0, 1}")
                .with("Rounds", "3")
                .after("Propose(0)", "Votes(1, 0)", "Replace(1)")
                .after("Begin(2)", "Hears(0, 2)", "Lead(2)", "Propose(2)")
                .after("Begin(0)", "Hears(1, 0)", "Lead(0)", "Votes(0, 0)", "Votes(2, 0)");
    }

    /** 0 leads, is idle and cut off; 4 takes over with 2 and 3, which vote for what it proposes. 1 hears nobody. */
    private static Model deposed(Model model) {
        return model.with("N", "5")
                .with("Candidates", "{4}")
                .with("Learners", "{0, 1, 4}")
                .with("Claims", TRUE)
                .with("Snapshots", "1")
                .after("Begin(4)", "Hears(2, 4)", "Hears(3, 4)", "Lead(4)", "Propose(4)")
                .after("Votes(4, 4)", "Votes(2, 4)", "Votes(3, 4)");
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

    private static List<Model> reached() {
        return List.of(
                LANE.reached("an-entry-is-taken-over", "NobodyTakesOverAnEntry"),
                LANE.reached("two-lead", "NeverTwoLeaders"),
                LANE.reached("a-hole-is-filled", "NothingIsFilled").with("Last", "2"),
                LANE.reached("a-new-disk-votes", "NoNewDiskVotes").with("Losses", "1"),
                LANE.reached("a-candidate-is-below-a-floor", "NobodyIsBelowAFloor")
                        .with("Truncations", "1")
                        .with("Candidates", "{2}")
                        .with("Learners", "{1}"),
                revoked(LANE.reached("a-leader-is-passed-over", "NobodyIsPassedOver")),
                LANE.reached("a-lost-vote-is-written-over", "NoVoteIsWrittenOver"));
    }
}
