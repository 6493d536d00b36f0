/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import static org.meteorshower.lab.simulate.Edit.EMPTY_LIST;
import static org.meteorshower.lab.simulate.Edit.NOTHING;
import static org.meteorshower.lab.simulate.Edit.bodyGives;
import static org.meteorshower.lab.simulate.Edit.callGives;
import static org.meteorshower.lab.simulate.Edit.callGivesFirstArgument;
import static org.meteorshower.lab.simulate.Edit.fieldGives;
import static org.meteorshower.lab.simulate.Edit.fieldNotSet;
import static org.meteorshower.lab.simulate.Mutant.around;
import static org.meteorshower.lab.simulate.Mutant.within;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.simulator.Bug;
import org.meteorshower.simulator.Kind;

/**
 * All mistakes that the verifiers must find: around the core, and within it. Those about whole tables are
 * {@link TableMutants}.
 */
final class Mutants {
    private Mutants() {}

    static List<Mutant> all() {
        List<Mutant> all = new ArrayList<>();
        all.addAll(sessions());
        all.addAll(replicas());
        all.addAll(clocks());
        all.addAll(decisions());
        all.addAll(streams());
        all.addAll(retiring());
        all.addAll(TableMutants.moving());
        all.addAll(TableMutants.carrying());
        all.addAll(TableMutants.disabling());
        all.addAll(TableMutants.enabling());
        all.addAll(keeping());
        all.addAll(scanning());
        all.addAll(driving());
        all.addAll(LeaseMutants.all());
        return all;
    }

    /** @throws IllegalArgumentException if there is none of this name; the message lists them */
    static Mutant named(String name) {
        return all().stream()
                .filter(mutant -> mutant.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no mutant is called " + name + "; there are "
                        + String.join(", ", all().stream().map(Mutant::name).toList())));
    }

    /** In what carries out the core's effects, in a node as in the simulator. */
    private static List<Mutant> driving() {
        return List.of(
                around("effect-twice", Bug.EFFECT_TWICE, Kind.RANDOM, "one effect of seven is carried out twice"),
                around(
                        "effects-reversed",
                        Bug.EFFECTS_REVERSED,
                        Kind.RANDOM,
                        "the effects of a step are carried out the last one first"),
                around(
                        "journal-late",
                        Bug.JOURNAL_LATE,
                        Kind.RESTARTS,
                        "what the journal is to keep is written some entries later"),
                around(
                        "taken-and-refused",
                        Bug.TAKEN_AND_REFUSED,
                        Kind.SIZE,
                        "what the journal has no room for is refused after the core has taken it"),
                around(
                        "goes-on-after-failure",
                        Bug.GOES_ON_AFTER_FAILURE,
                        Kind.RESTARTS,
                        "it goes on where the journal could not be written"));
    }

    private static List<Mutant> sessions() {
        return List.of(
                around("ignore-token", Bug.READ_WITHOUT_TOKEN, Kind.RANDOM, "a session reads without its token"),
                around("write-token-dropped", Bug.WRITE_TOKEN_DROPPED, Kind.RANDOM, "a write's token is not kept"),
                around(
                        "token-not-authenticated",
                        Bug.TOKEN_NOT_AUTHENTICATED,
                        Kind.RANDOM,
                        "a token made smaller on its way is taken"),
                around(
                        "coordinator-token-missing",
                        Bug.COORDINATOR_TOKEN_MISSING,
                        Kind.RANDOM,
                        "nobody holds a token for stock clients"),
                around(
                        "acknowledgement-without-applied",
                        Bug.ACKNOWLEDGED_BEFORE_APPLIED,
                        Kind.RANDOM,
                        "w receipts count as w stamps"),
                around(
                        "retry-as-second-write",
                        Bug.RETRIED_AS_ANOTHER_WRITE,
                        Kind.RANDOM,
                        "a retry gets a new timestamp"),
                around("quorum-rung", Bug.QUORUM_READ, Kind.RANDOM, "some reads are plain QUORUM reads"),
                within(
                        "token-of-first-acknowledgement",
                        Kind.RANDOM,
                        "a write's token is its first stamp, not its w-th",
                        new Patch("WriteWorker", "complete", callGives("ReplicaGroup", "writeQuorum", 1))),
                within(
                        "acknowledged-by-one",
                        Kind.RANDOM,
                        "one stamp is enough for an acknowledgement",
                        new Patch("PendingWrite$Progress", "isAtQuorum", callGives("ReplicaGroup", "writeQuorum", 1)),
                        new Patch("WriteWorker", "complete", callGives("ReplicaGroup", "writeQuorum", 1))));
    }

    private static List<Mutant> replicas() {
        return List.of(
                around("stamped-after-applied", Bug.STAMPED_AFTER_APPLIED, Kind.RANDOM, "the store is written first"),
                around("applied-too-early", Bug.APPLIED_TOO_EARLY, Kind.RANDOM, "told to be in the store before it is"),
                around(
                        "applied-lost-in-crash",
                        Bug.APPLIED_LOST_IN_CRASH,
                        Kind.RESTARTS,
                        "a crash takes what was acknowledged"),
                around("journal-lost", Bug.JOURNAL_LOST, Kind.READERS_CUT_OFF, "a crash takes the journal"),
                within(
                        "journal-not-reannounced",
                        Kind.READERS_CUT_OFF,
                        "a restarted node forgets what it had stamped",
                        new Patch("SequentialReads", "<init>", callGives("Recovery", "updates", EMPTY_LIST))),
                around("overlay-ignored", Bug.OVERLAY_IGNORED, Kind.RANDOM, "reads return what the store holds"),
                around("read-unconfirmed", Bug.READ_UNCONFIRMED, Kind.RANDOM, "the store may change under a read"),
                around(
                        "rest-not-confirmed",
                        Bug.REST_NOT_CONFIRMED,
                        Kind.RANDOM,
                        "the store may change under a read that takes no step"),
                within(
                        "rest-seen-through-announcements",
                        Kind.RANDOM,
                        "a partition counts as at rest while mutations of it are in flight",
                        new Patch("RestingCuts", "tell", callGives("StatusMap", "takeStirred", EMPTY_LIST))),
                around("repair-unannounced", Bug.REPAIR_UNANNOUNCED, Kind.REPAIRS, "nobody hears of a repair"),
                around(
                        "foreign-data-forgotten",
                        Bug.FOREIGN_DATA_FORGOTTEN,
                        Kind.REPAIRS_CUT_SHORT,
                        "a restart forgets that a repair was not told of"),
                around("settle-with-new-timestamp", Bug.SETTLED_AS_NEW, Kind.RANDOM, "settling makes another write"),
                within(
                        "history-kept-after-foreign-data",
                        Kind.LEFT_BEHIND_BY_ALL,
                        "earlier content taken before a repair is used after it",
                        new Patch("SequentialReads$Events", "on", callGives("StatusMap", "contentUnknown", NOTHING))),
                within(
                        "foreign-data-not-awaited",
                        Kind.REPAIRS,
                        "reads go on before it is known what came with a repair",
                        new Patch("TableStates", "foreignData", bodyGives(NOTHING))));
    }

    private static List<Mutant> clocks() {
        return List.of(
                within(
                        "no-hlc-merge",
                        Kind.CLOCKS_APART,
                        "a message does not raise its receiver's clock",
                        new Patch("SequentialReads", "received", callGives("HybridClock", "raise", NOTHING))),
                within(
                        "ts-not-above-token",
                        Kind.RANDOM,
                        "a write's timestamp may be below what its session saw",
                        new Patch("WriteWorker", "begin", callGives("HybridClock", "raise", NOTHING))),
                within(
                        "stamp-below-timestamp",
                        Kind.RANDOM,
                        "a mutation is stamped below its timestamp",
                        new Patch("ApplyWorker", "stampFor", callGivesFirstArgument("java.lang.Math", "max"))),
                within(
                        "age-by-own-clock",
                        Kind.CLOCKS_BEHIND,
                        "the age that a mode promises counts by the reader's own clock",
                        new Patch("PeerClocks", "atLeastMicros", bodyGives(0L))),
                around("ceiling-lost", Bug.CEILING_LOST, Kind.RESTARTS, "a restarted node's clock starts anew, slow"),
                within(
                        "hlc-ceiling-missing",
                        Kind.CLOCKS_BACK,
                        "a restarted node knows no ceiling of its earlier clock",
                        new Patch("Parts", "<init>", callGives("Recovery", "ceilingMicros", 0L))),
                around(
                        "promise-broken-by-20-ms",
                        Bug.PROMISE_FORGED,
                        Kind.RANDOM,
                        "a status message promises 20 ms more"));
    }

    private static List<Mutant> decisions() {
        return List.of(
                within(
                        "undecided-served",
                        Kind.RANDOM,
                        "an undecided mutation counts as invisible",
                        new Patch(
                                "CutChooser$AtCut",
                                "firstObstacle",
                                callGives("MutationRecord", "isInvisibleAt", true))),
                within(
                        "coverage-of-one",
                        Kind.RANDOM,
                        "status of one replica is enough",
                        new Patch("CutChooser", "newestCovered", callGives("ReplicaGroup", "readQuorum", 1)),
                        new Patch("CutChooser", "isCovered", callGives("ReplicaGroup", "readQuorum", 1))),
                within(
                        "silence-counted-as-applied",
                        Kind.RANDOM,
                        "a mutation is visible at its first stamp",
                        new Patch("MutationRecord", "countApplied", callGives("ReplicaGroup", "writeQuorum", 1))),
                within(
                        "restarted-counted-at-once",
                        Kind.HALF_DEAF_RESTARTS,
                        "coverage and floor reach back over a restart",
                        new Patch("Coverage", "contains", fieldGives("oldestMicros", 0L)),
                        new Patch("Knowledge", "floorMicros", bodyGives(0L)),
                        new Patch("StatusMap", "<init>", fieldNotSet("floorMicros"))),
                within(
                        "column-update-as-row-version",
                        Kind.RANDOM,
                        "a later update of some columns hides an earlier one of others",
                        new Patch("MutationRecord", "isDominatedBy", fieldGives("shape", 0L))),
                within(
                        "absent-taken-for-present",
                        Kind.RANDOM,
                        "a visible mutation that is not in the store is not waited for",
                        new Patch("MutationRecord", "isPresentAt", fieldGives("everywhereByMicros", 0L))),
                within(
                        "version-not-checked",
                        Kind.RANDOM,
                        "a read is confirmed whatever entered the store meanwhile",
                        new Patch("ReadWorker", "storeRead", callGives("StatusMap", "versionOf", 0L)),
                        new Patch("ReadWorker", "answer", callGives("StatusMap", "versionOf", 0L))));
    }

    private static List<Mutant> streams() {
        return List.of(
                within(
                        "gap-counted",
                        Kind.RANDOM,
                        "a lost status message is not missed",
                        new Patch("MessageReceiver", "status", callGives("java.util.List", "size", Integer.MAX_VALUE)),
                        new Patch("MessageReceiver", "take", callGives("java.util.List", "get", EMPTY_LIST))),
                within(
                        "snapshot-empty",
                        Kind.RANDOM,
                        "a new stream does not begin with what is in flight",
                        new Patch("StatusMessageDispatcher", "subscribed", callGives("StatusMap", "all", EMPTY_LIST))),
                within(
                        "promise-before-all-is-told",
                        Kind.RANDOM,
                        "a message promises what only the next one tells",
                        new Patch(
                                "StatusMessageDispatcher",
                                "dispatch",
                                callGives("OutgoingStream", "hasPending", false))),
                within(
                        "stream-of-old-incarnation",
                        Kind.RESTART_BURSTS,
                        "a stream towards an earlier life is taken for one of this life",
                        new Patch("MessageReceiver", "isCurrent", callGives("StreamId", "receiverIncarnation", 0L)),
                        new Patch("MessageReceiver", "isCurrent", fieldGives("incarnation", 0L))));
    }

    private static List<Mutant> retiring() {
        return List.of(
                within(
                        "dropped-at-w",
                        Kind.RANDOM,
                        "a record goes when w replicas have it, not all",
                        new Patch(
                                "Retirement",
                                "visibleFromIfDone",
                                callGives("MutationRecord", "isAppliedEverywhere", true))),
                within(
                        "retired-without-acknowledgement",
                        Kind.RANDOM,
                        "a record goes before every peer was told",
                        new Patch("Retirement", "retire", callGives("MutationRecord", "isAcknowledgedByAll", true))),
                within(
                        "retired-floor-forgotten",
                        Kind.FRESH_CLIENTS,
                        "reads use cuts older than what was retired",
                        new Patch("StatusMap", "floorOf", bodyGives(0L))),
                within(
                        "left-behind-told-done",
                        Kind.LEFT_BEHIND_BY_ONE,
                        "a peer that was left behind is told that a mutation is done with",
                        new Patch("Retirement", "noneIsLeftBehind", bodyGives(true)),
                        new Patch(
                                "Settler",
                                "fetched",
                                callGives("org.meteorshower.protocol.LeftBehind", "contains", false))));
    }

    private static List<Mutant> scanning() {
        return List.of(
                within(
                        "pin-ignored",
                        Kind.SCANS,
                        "what is visible only after a scan's cut is forgotten while the cut is pinned",
                        new Patch("Retirement", "retire", callGives("Pins", "mayForget", true)),
                        new Patch("Sinking", "sink", callGives("Pins", "mayForget", true))),
                around(
                        "stirred-not-reread",
                        Bug.STIRRED_NOT_REREAD,
                        Kind.SCANS,
                        "a scan takes the store's word for partitions that were written meanwhile"),
                around(
                        "scan-at-several-cuts",
                        Bug.SCAN_AT_SEVERAL_CUTS,
                        Kind.SCANS,
                        "nodes that scan together read each at a cut of its own"),
                within(
                        "raised-uncovered",
                        Kind.SCANS,
                        "a node reads at the cut of another one before it has heard of all below it",
                        new Patch("ScanWorker", "raise", callGives("Standings$Standing", "covers", true))),
                within(
                        "not-raised",
                        Kind.SCANS,
                        "a node reads what was written meanwhile at its own cut, and not at that of all",
                        new Patch("ScanWorker", "raise", callGives("Pins$Pin", "raise", NOTHING))),
                within(
                        "shared-below-a-floor",
                        Kind.SCANS,
                        "a scan that is shared may be read at a cut below what a partition has forgotten",
                        new Patch("ScanCuts", "notBefore", callGives("ScanCuts", "latestFloor", 0L))),
                within(
                        "stirred-since-not-noted",
                        Kind.SCANS,
                        "a scan reads again only what was in flight when its cut was pinned",
                        new Patch("StatusMap", "record", callGives("Pins", "stirred", NOTHING))),
                within(
                        "in-flight-not-noted",
                        Kind.SCANS,
                        "a scan reads again only what began to be in flight since its cut was pinned",
                        new Patch("ScanWorker", "attempt", callGives("java.util.List", "forEach", NOTHING))),
                within(
                        "scan-below-floor",
                        Kind.SCANS,
                        "a scan's cut may be older than what is forgotten of partitions at rest",
                        new Patch("ScanCuts", "newest", callGives("StatusMap", "floorAtRest", 0L))));
    }

    private static List<Mutant> keeping() {
        return List.of(
                within(
                        "release-forgotten",
                        Kind.SIZE,
                        "what a record took is not taken off when it goes",
                        new Patch("PartitionState", "left", callGives("KeptBytes", "index", NOTHING))),
                within(
                        "peer-counted-for-ever",
                        Kind.SIZE,
                        "a silent peer is not left behind at the limit",
                        new Patch(
                                "Retirement",
                                "leaveBehind",
                                callGives("org.meteorshower.protocol.LeftBehind", "add", false))),
                within(
                        "sunk-above-undecided",
                        Kind.SIZE,
                        "content leaves the heap before the mutation is visible",
                        new Patch("Sinking", "newestCovered", bodyGives(Long.MAX_VALUE))),
                around("spill-lost", Bug.SPILL_LOST, Kind.SIZE, "a crash loses what the journal alone had"),
                around(
                        "read-from-the-wrong-place",
                        Bug.READ_FROM_THE_WRONG_PLACE,
                        Kind.SIZE,
                        "the journal gives another mutation's content"),
                around(
                        "behind-not-said",
                        Bug.BEHIND_NOT_SAID,
                        Kind.SIZE,
                        "the stream for a node that was left behind does not say that something is missing before it"),
                within(
                        "missed-not-noted",
                        Kind.SIZE,
                        "what is retired without a node that was left behind is not noted as missed by it",
                        new Patch("Retirement", "noteMissed", bodyGives(NOTHING))),
                within(
                        "late-retired-untold",
                        Kind.SETTLE_SLOWLY,
                        "who retires a mutation that comes late does not tell the others",
                        new Patch("Retirement", "tellAll", bodyGives(NOTHING))),
                around(
                        "filled-with-nothing",
                        Bug.FILLED_WITH_NOTHING,
                        Kind.SIZE,
                        "a node that was left behind says that it is filled, and nothing was brought to it"));
    }
}
