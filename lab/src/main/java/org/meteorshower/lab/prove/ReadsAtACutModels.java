/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import static org.meteorshower.lab.prove.Model.FALSE;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Models of ReadsAtACut.tla: sequential reads. */
final class ReadsAtACutModels {
    private static final String TWO_READ = "{0, 1}";
    private static final Specification READS = Specification.of(
            "ReadsAtACut",
            "Sequential",
            List.of(
                    "AtACut",
                    "TokenHeeded",
                    "TokenOfWrites",
                    "TimestampsAbove",
                    "StampsAbove",
                    "NoGaps",
                    "ReadQuorumCovers",
                    "DecidedOnly",
                    "HistoryUsed",
                    "PresentOnly",
                    "CutsPass",
                    "CeilingKept",
                    "JournalKept",
                    "SilenceIsNoAnswer",
                    "ForgottenByAll",
                    "ForgottenIfHeard",
                    "ToldThisLife",
                    "CutsAfterForgotten",
                    "LateWithCut"),
            Map.of(
                    "MaxClock", "3",
                    "WriteQuorum", "2",
                    "Readers", "{0}",
                    "Lead", "0",
                    "Restarts", "0",
                    "Failures", FALSE,
                    "Forgets", FALSE,
                    "StoredLater", FALSE,
                    "AsBuilt", FALSE,
                    "Case", "\"reader\""));

    private ReadsAtACutModels() {}

    static List<Model> all() {
        return Stream.of(holding(), refuted(), refutedAfterCrashes(), reached(), larger())
                .flatMap(List::stream)
                .toList();
    }

    /** The constants for three nodes that do all that the core does, and break no rule. */
    static Map<String, String> allThatTheCoreDoes() {
        return READS.holds("traces", "recorded runs")
                .withAll("AsBuilt", "Failures", "Forgets", "StoredLater")
                .with("Readers", "{0, 1, 2}")
                .constants();
    }

    private static List<Model> holding() {
        return List.of(
                holds("cut-own-write", "a session reads what it wrote, another one looks on", "own-write"),
                holds("cut-write-twice", "a session writes twice and reads", "twice"),
                holds("cut-overtaken", "a write comes after what overwrote it was forgotten", "overtaken")
                        .withAll("Forgets")
                        .with("MaxClock", "2"),
                holds("cut-restart", "the reader restarts, and replicas forget", "own-write")
                        .withAll("Forgets")
                        .with("Restarts", "1")
                        .with("MaxClock", "2"),
                holds("cut-given-up", "writes are given up, and come later or never", "reader")
                        .withAll("Failures", "StoredLater"));
    }

    private static List<Model> refuted() {
        return List.of(
                without("AtACut", "published-rule", "versions that a majority is known to have", "reader")
                        .with("Readers", TWO_READ)
                        .with("MaxClock", "2"),
                without("TokenHeeded", "token-ignored", "a cut below the session's token", "reader"),
                without("TokenOfWrites", "token-not-raised", "a write leaves no trace in the token", "own-write"),
                without("TimestampsAbove", "timestamp-not-above-token", "a write may be before what it saw", "twice"),
                without("StampsAbove", "stamp-below-what-was-told", "a stamp of a time already told of", "own-write"),
                without("NoGaps", "gap-counted", "a message is missed, and its time counted", "own-write"),
                without("ReadQuorumCovers", "coverage-of-one", "one node covers a cut", "own-write"),
                without("DecidedOnly", "undecided-served", "what may be visible is shown", "reader"),
                without("HistoryUsed", "no-history", "what is not visible yet is shown", "reader")
                        .with("Readers", TWO_READ)
                        .with("MaxClock", "2"),
                without("PresentOnly", "absent-served", "what is visible need not be in the store", "own-write")
                        .withAll("StoredLater")
                        .with("MaxClock", "2"),
                without("CutsPass", "cut-not-passed", "a stamp at a cut that was answered at", "crosswise")
                        .with("WriteQuorum", "3")
                        .with("Lead", "1")
                        .with("MaxClock", "2"));
    }

    private static List<Model> refutedAfterCrashes() {
        return Stream.of(
                        without("CeilingKept", "ceiling-forgotten", "a clock goes back in a crash", "own-write")
                                .with("Restarts", "1")
                                .with("Readers", TWO_READ),
                        without("JournalKept", "journal-forgotten", "a stamp is lost in a crash", "own-write")
                                .with("Restarts", "1"),
                        without(
                                        "SilenceIsNoAnswer",
                                        "silence-taken-for-no",
                                        "what a peer forgot it never had",
                                        "own-write")
                                .withAll("Forgets")
                                .with("Restarts", "1"),
                        without("ForgottenByAll", "forgotten-at-w", "a quorum has it: forget it", "own-write")
                                .withAll("Forgets")
                                .with("Restarts", "1"),
                        without(
                                        "ForgottenIfHeard",
                                        "forgotten-unheard",
                                        "forgotten before peers heard of it",
                                        "own-write")
                                .withAll("Forgets")
                                .with("Readers", TWO_READ),
                        without(
                                        "ToldThisLife",
                                        "earlier-life-counted",
                                        "forgotten since a peer had heard of it before it crashed",
                                        "own-write")
                                .withAll("Forgets", "AsBuilt")
                                .with("Restarts", "1"),
                        without("CutsAfterForgotten", "cuts-before-forgotten", "what is forgotten is visible", "reader")
                                .withAll("Forgets")
                                .with("Readers", TWO_READ),
                        without(
                                        "LateWithCut",
                                        "late-without-cut",
                                        "overtaken, and acknowledged without a cut",
                                        "overtaken")
                                .withAll("Forgets"))
                .map(model -> model.with("MaxClock", "2"))
                .toList();
    }

    private static List<Model> reached() {
        return List.of(
                reached("an-older-cut-is-read", "NobodyReadsAnOlderCut", "reader"),
                reached("a-read-waits", "NobodyWaits", "own-write"),
                reached("history-answers", "NobodyAnswersFromHistory", "reader"),
                reached("a-write-is-late", "NobodyIsLate", "overtaken")
                        .withAll("Forgets")
                        .with("MaxClock", "2"),
                reached("a-record-is-forgotten", "NobodyForgets", "reader").withAll("Forgets"),
                reached("who-forgot-is-asked", "NobodyIsAskedOfWhatItForgot", "reader")
                        .withAll("Forgets")
                        .with("Restarts", "1")
                        .with("MaxClock", "2"),
                reached("what-was-given-up-is-seen", "NothingIsSeenThatWasGivenUp", "reader")
                        .withAll("Failures"));
    }

    private static List<Model> larger() {
        return Stream.of(
                        holds("cut-crosswise", "two sessions write a row and read the other's", "crosswise"),
                        holds("cut-rivals", "two sessions write the same row", "rivals"),
                        holds("cut-write-all", "write ALL, read ONE; timestamps ahead of clocks", "crosswise")
                                .with("WriteQuorum", "3")
                                .with("Lead", "1")
                                .with("MaxClock", "2"),
                        holds("cut-two-readers", "sessions move between two nodes that read", "own-write")
                                .withAll("Forgets")
                                .with("Readers", TWO_READ)
                                .with("MaxClock", "2"),
                        asBuilt("as-built", "all that the core does, two readers", "own-write")
                                .withAll("StoredLater"),
                        asBuilt("as-built-overtaken", "what was overtaken is stamped, or forgotten", "overtaken")
                                .with("Readers", "{0}"),
                        asBuilt("as-built-restart", "what peers heard and stamped is not told again", "own-write")
                                .with("Readers", "{0}")
                                .with("Restarts", "1"),
                        holds("cut-two-restarts", "the reader restarts twice", "own-write")
                                .withAll("Forgets", "Failures")
                                .with("Restarts", "2")
                                .with("MaxClock", "2"))
                .map(Model::slow)
                .toList();
    }

    private static Model holds(String name, String meaning, String sessions) {
        return of(READS.holds(name, meaning), sessions);
    }

    private static Model asBuilt(String name, String meaning, String sessions) {
        return holds(name, meaning, sessions)
                .withAll("AsBuilt", "Forgets")
                .with("Readers", TWO_READ)
                .with("MaxClock", "2");
    }

    private static Model without(String rule, String name, String meaning, String sessions) {
        return of(READS.without(name, meaning, rule), sessions);
    }

    private static Model reached(String name, String never, String sessions) {
        return of(READS.reached(name, never), sessions);
    }

    private static Model of(Model model, String sessions) {
        return model.with("Case", '"' + sessions + '"');
    }
}
