/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import static org.meteorshower.lab.prove.Model.FALSE;
import static org.meteorshower.lab.prove.Model.TRUE;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Models of CatenaeOrder.tla: what is made of the lanes. */
final class OrderModels {
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

    private OrderModels() {}

    static List<Model> all() {
        Stream<Model> quick = Stream.of(holds(), merge(), rows(), reached()).flatMap(List::stream);
        return Stream.concat(quick, holdsInMore().stream().map(Model::slow)).toList();
    }

    private static List<Model> holds() {
        return List.of(
                ORDER.holds("order", "two lanes, a request each"),
                ORDER.holds("order-asked-again", "a client asks again").with("Retried", TRUE),
                forwarded(ORDER.holds("order-forwarded", "another data centre leads a lane"))
                        .with("Requests", "2"),
                cutTwice(redone(ORDER.holds("order-redone", "rows are written behind, a process dies"))),
                newcomer(ORDER.holds("order-snapshot", "rows are written behind, a snapshot given"))
                        .with("Epochs", "1"));
    }

    private static List<Model> holdsInMore() {
        return List.of(
                cutTwice(redone(ORDER.holds("order-read-again", "one of the requests is a strict read")))
                        .with("Reads", "{1}")
                        .with("Epochs", "1"),
                ORDER.holds("order-redone-by-each", "each data centre executes, one of the processes dies")
                        .with("Crashes", "1")
                        .with("Cuts", "2")
                        .with("Epochs", "0"),
                ORDER.holds("order-redone-by-epochs", "the same with epochs")
                        .with("Crashes", "1")
                        .with("Cuts", "2")
                        .toDepth(16),
                ORDER.holds("order-snapshot-by-each", "each executes, and may be given a snapshot")
                        .with("Cuts", "2")
                        .with("Snapshots", "1")
                        .with("Epochs", "0"));
    }

    private static Model cutTwice(Model model) {
        return model.with("Last", "2").with("Idle", "1").with("Cuts", "2");
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

    private static List<Model> reached() {
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
