/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import static org.meteorshower.lab.simulate.Edit.bodyGives;
import static org.meteorshower.lab.simulate.Edit.callGives;
import static org.meteorshower.lab.simulate.Edit.callGivesField;
import static org.meteorshower.lab.simulate.Edit.callGivesFirstArgument;
import static org.meteorshower.lab.simulate.Edit.callGivesTheTime;
import static org.meteorshower.lab.simulate.Edit.callRunsLastArgument;
import static org.meteorshower.lab.simulate.Edit.fieldGives;
import static org.meteorshower.lab.simulate.Edit.fieldNotSet;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.meteorshower.transactions.simulator.Kind;

/** The mistakes that are made on purpose in the core of the transactions, each with the plans that show it. */
final class CatenaeMutants {
    static final String ROOT = "org.meteorshower.transactions.";
    private static final String DURABILITY = ROOT + "lanes.Durability";
    private static final String LEADER = ROOT + "lanes.LaneLeader";
    private static final String ORDER = ROOT + "merge.MergeOrder";

    private CatenaeMutants() {}

    static List<CatenaeMutant> all() {
        return Stream.of(
                        lanes(),
                        revocation(),
                        order(),
                        execution(),
                        ranges(),
                        storage(),
                        size(),
                        changes(),
                        ScanMutants.all(),
                        EndMutants.all(),
                        FormatMutants.all(),
                        ServerMutants.all())
                .flatMap(List::stream)
                .toList();
    }

    /** @throws IllegalArgumentException if there is none of this name */
    static CatenaeMutant named(String name) {
        return all().stream()
                .filter(mutant -> mutant.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no mutant of catenae is called " + name
                        + "; there are "
                        + all().stream().map(CatenaeMutant::name).collect(Collectors.joining(", "))));
    }

    static CatenaeMutant mutant(String name, Kind kind, String meaning, Patch... patches) {
        return new CatenaeMutant(name, meaning, kind, List.of(patches));
    }

    static Patch patch(String type, String method, Edit edit) {
        return new Patch(type.startsWith(ROOT) ? type : ROOT + type, method, edit);
    }

    private static List<CatenaeMutant> changes() {
        String stream = "chains.ChangeStream";
        return List.of(
                mutant(
                        "gap-untold",
                        Kind.LOST_DISKS,
                        "the change stream goes on after a snapshot as if it had what that has skipped",
                        patch(stream, "jump", fieldNotSet("from"))),
                mutant(
                        "cut-before-the-stream",
                        Kind.KILLS,
                        "a cut is done although the change stream is not stored up to it",
                        patch(
                                "storage.Checkpoints",
                                "finish",
                                callGives(ROOT + "chains.ChangePieces", "isStored", true))),
                mutant(
                        "change-release-forgotten",
                        Kind.SIZE,
                        "what the change stream has let go of goes on counting",
                        patch(stream, "take", fieldNotSet("bytes"))),
                mutant(
                        "sessions-told",
                        Kind.CALM,
                        "the change stream tells of the records of clients' sessions",
                        patch(stream, "executed", callGives(ROOT + "log.SessionId", "isRowOfOne", false))));
    }

    private static List<CatenaeMutant> lanes() {
        return List.of(
                mutant(
                        "acknowledged-before-persisted",
                        Kind.KILLS,
                        "an acceptor tells of what is not durable",
                        patch("lanes.Acceptor", "propose", callRunsLastArgument(DURABILITY, "write"))),
                mutant(
                        "fence-not-read",
                        Kind.ZOMBIES,
                        "a process goes on although another one has taken its place",
                        patch(DURABILITY, "isFenced", bodyGives(false))),
                mutant(
                        "takeover-without-phase-1",
                        Kind.CUTS,
                        "a lane is taken over without a majority's promise",
                        patch(LEADER, "promised", callGives(ROOT + "port.Members", "majority", 1))),
                mutant(
                        "ballot-reused",
                        Kind.QUICK_RESTARTS,
                        "a restarted owner uses the ballot of its last life",
                        patch("lanes.Lane", "<init>", callGives(ROOT + "lanes.Acceptor", "promised", 0L))),
                mutant(
                        "truncated-log-taken-for-holes",
                        Kind.BELOW_FLOOR,
                        "a candidate below the floor fills what is gone with holes",
                        patch(LEADER, "lead", callGives(ROOT + "port.AcceptorState", "floor", 0L)),
                        patch("lanes.Acceptor", "propose", fieldGives("floor", 0L)),
                        patch("lanes.Lane", "received", callGives(ROOT + "lanes.Lane", "isOpen", true))),
                mutant(
                        "led-on-after-a-foreign-decision",
                        Kind.DEPOSED,
                        "a leader goes on although others have decided where it has not proposed yet",
                        patch(LEADER, "decided", callGives(LEADER, "isBeyondOwn", false))),
                mutant(
                        "blank-disk-votes",
                        Kind.DISK_AND_DEATH,
                        "a data centre without its votes votes again",
                        patch("lanes.Rejoining", "<init>", fieldNotSet("blank"))),
                mutant(
                        "phase-1-without-back-off",
                        Kind.SLOW_LINKS,
                        "the time-out of phase 1 stays the same",
                        patch(LEADER, "phase1Failed", callGivesFirstArgument(LEADER, "lengthened"))));
    }

    private static List<CatenaeMutant> revocation() {
        String revocation = "lanes.Revocation";
        return List.of(
                mutant(
                        "quorum-not-complete",
                        Kind.SLOW,
                        "who passes over a leader does not wait for the promises of all of the quorum",
                        patch(revocation, "look", callGives("java.lang.Integer", "bitCount", 1))),
                mutant(
                        "skip-over-accepted",
                        Kind.SLOW,
                        "a lane is closed ahead in the place of what was accepted",
                        patch(revocation, "values", callGives("java.util.TreeMap", "isEmpty", true))),
                mutant(
                        "successors-ballot-given-up",
                        Kind.ZOMBIES,
                        "a process that was replaced gives back what its successor has proposed, under one ballot",
                        patch("lanes.LaneLeader", "owns", bodyGives(true))),
                mutant(
                        "promise-not-durable",
                        Kind.SLOW,
                        "a data centre tells the quorum of a promise that is not durable",
                        patch("lanes.Acceptor", "promiseOnce", callRunsLastArgument(DURABILITY, "write"))));
    }

    private static List<CatenaeMutant> order() {
        return List.of(
                mutant(
                        "replied-before-smaller-decided",
                        Kind.RANDOM,
                        "an entry is executed before the smaller ones are decided",
                        patch(ORDER, "next", callGives(ORDER, "leastEpoch", Long.MAX_VALUE))),
                mutant(
                        "merged-by-arrival",
                        Kind.RANDOM,
                        "entries are executed as they come",
                        patch(ORDER, "next", callGives(ORDER, "effectiveEpoch", 0L))),
                mutant(
                        "strict-read-served-locally",
                        Kind.RANDOM,
                        "a strict read sees what happens to be executed here",
                        patch("Catenae", "read", callGives(ROOT + "port.Event$ReadSubmitted", "strict", false))),
                mutant(
                        "token-ignored",
                        Kind.CUTS,
                        "a snapshot read does not wait for its token",
                        patch(
                                "chains.SnapshotReads",
                                "advance",
                                callGives(ROOT + "chains.SnapshotReads", "isReached", true))));
    }

    private static List<CatenaeMutant> execution() {
        return List.of(
                mutant(
                        "no-deduplication",
                        Kind.RANDOM,
                        "a number runs as often as it comes",
                        patch(
                                "chains.Requests",
                                "runOnce",
                                callGives(ROOT + "chains.SessionRecord", "outcome", Edit.NULL))),
                mutant(
                        "forwarded-more-than-once",
                        Kind.KILLS,
                        "what the network brings twice is proposed twice",
                        patch("Forwarded", "received", callGives("java.util.TreeSet", "add", true))),
                mutant(
                        "given-back-although-proposed",
                        Kind.HAND_BACKS,
                        "what was forwarded is asked for again elsewhere, although it may have been proposed",
                        patch("Forwarded", "refuse", callGives(ROOT + "Forwarded$Queue", "hasTaken", false))),
                mutant(
                        "given-back-although-it-stands",
                        Kind.SLOW,
                        "what was forwarded is asked for again elsewhere, although the entry with it is decided",
                        patch("Forwarded", "decided", callGives(ROOT + "log.Entry", "origin", -1L))),
                mutant(
                        "time-out-told-as-abort",
                        Kind.CUTS,
                        "what is not known is told as not proposed",
                        patch("Submissions", "late", callGives(ROOT + "Submissions", "isProposed", false))),
                mutant(
                        "given-back-as-not-proposed",
                        Kind.HANDOVERS,
                        "who hands over says of what it has proposed that it has not",
                        patch("Submissions", "giveBack", callGives(ROOT + "Submissions", "isProposed", false))),
                mutant(
                        "writes-visible-before-the-assert",
                        Kind.RANDOM,
                        "what was written before an assert failed stays",
                        patch(
                                "language.Program",
                                "run",
                                callGives(ROOT + "language.WorkingCopy", "discard", Edit.NOTHING))),
                mutant(
                        "time-inside-a-transaction",
                        Kind.RANDOM,
                        "a transaction computes with the machine's clock",
                        patch("language.Expressions", "arithmetic", callGivesTheTime("java.lang.Math", "addExact"))),
                mutant(
                        "one-version-for-two",
                        Kind.RANDOM,
                        "transactions of one entry write under one version",
                        patch("chains.ChainServer", "execute", callGivesFirstArgument(ROOT + "log.Version", "of"))));
    }

    private static List<CatenaeMutant> ranges() {
        String gathering = "chains.TurnReads$Gathering";
        String exists = "exists";
        return List.of(
                mutant(
                        "range-without-partition",
                        Kind.RANGES,
                        "who reads a range does not have the partition to itself",
                        patch("chains.PartitionQueues", "admits", bodyGives(true))),
                mutant(
                        "unwritten-rows-overlooked",
                        Kind.RANGES,
                        "rows that are not in the tables yet are not found",
                        patch("chains.RowMemory", "dirty", callGives(ROOT + "language.Range", "contains", false))),
                mutant(
                        "pages-count",
                        Kind.RANGES,
                        "a limit counts the keys that the tables tell, whether their rows are there or not",
                        patch(gathering, "take", callGives(ROOT + "language.Row", exists, true))),
                mutant(
                        "first-page-only",
                        Kind.RANGES,
                        "a range ends where the first page of keys does",
                        patch(gathering, "goesOn", bodyGives(false))),
                mutant(
                        "own-deletes-not-counted",
                        Kind.RANGES,
                        "as many rows are gathered as the limit says, although the transaction deletes some first",
                        patch(gathering, "others", bodyGives(0))),
                mutant(
                        "written-key-not-known",
                        Kind.RANGES,
                        "a row that is written is not told to who knows which rows there are",
                        patch("chains.KnownKeys", "isThere", callGives("java.util.Map", "isEmpty", true))),
                mutant(
                        "computed-row-not-claimed",
                        Kind.COMPUTED,
                        "who computes the key of a row does not have its partition to itself",
                        patch("language.Statement$Change", "addClaims", callGives("java.util.List", "add", true))),
                mutant(
                        "computed-row-taken-for-absent",
                        Kind.COMPUTED,
                        "a row whose key was computed is not read",
                        patch("language.Holdings", "computed", fieldGives("ranges", Edit.NULL))),
                mutant(
                        "looked-up-row-let-go",
                        Kind.COMPUTED,
                        "a row whose key was computed is not kept in memory until it is written",
                        patch(gathering, "pinned", fieldNotSet("pins"))),
                mutant(
                        "absent-row-taken-for-told",
                        Kind.RANGES,
                        "a row that comes back is not told again, although its key may have been forgotten",
                        patch("chains.RowState", "isTold", callGives(ROOT + "language.Row", exists, true))));
    }

    private static List<CatenaeMutant> storage() {
        return List.of(
                mutant(
                        "rows-from-the-future",
                        Kind.SIZE,
                        "a process executes on rows whose past is gone",
                        patch("Catenae", "areThere", bodyGives(true))),
                mutant(
                        "newest-read-in-replay",
                        Kind.SIZE,
                        "a restarted process reads what it had written before itself",
                        patch("chains.RowMemory", "flushOr", callGives(ROOT + "log.Version", "endOf", Long.MAX_VALUE))),
                mutant(
                        "version-0-missing",
                        Kind.SIZE,
                        "what users had before transactions is not kept beside the first version",
                        patch("chains.RowState", "unwritten", fieldGives("base", Edit.NULL))),
                mutant(
                        "done-before-rows",
                        Kind.SIZE,
                        "a checkpoint is done before its rows are in the tables",
                        patch("storage.Checkpoints", "finish", fieldGives("inTables", true))),
                mutant(
                        "pin-ignored",
                        Kind.SIZE,
                        "what rows were as of a snapshot that is being given is forgotten",
                        patch("Parts", "oldestPinned", bodyGives(Long.MAX_VALUE))),
                mutant(
                        "base-not-given",
                        Kind.RANGES,
                        "a snapshot does not tell what rows were before any transaction",
                        patch(
                                "storage.SnapshotTaker",
                                "write",
                                callGives(ROOT + "port.Message$Page", "bases", Edit.EMPTY_MAP))),
                mutant(
                        "page-skipped",
                        Kind.SIZE,
                        "each page of a snapshot is taken for the one that is wanted next",
                        patch(
                                "storage.SnapshotTaker",
                                "received",
                                callGivesField(
                                        ROOT + "port.Message$Page",
                                        "place",
                                        ROOT + "storage.SnapshotTaker",
                                        "place",
                                        "Ljava/lang/String;"))));
    }

    private static List<CatenaeMutant> size() {
        return List.of(
                mutant(
                        "accepted-read-as-decided",
                        Kind.SIZE,
                        "a vote that lost counts as what was decided, and is read from the log as that",
                        patch("lanes.Lane", "decided", callGives(ROOT + "lanes.Lane", "holdsIt", true))),
                mutant(
                        "spill-lost",
                        Kind.SIZE,
                        "what was learned is let go of, and is not in the log",
                        patch("lanes.Lane", "decided", callRunsLastArgument(DURABILITY, "write"))),
                mutant(
                        "budget-in-entries",
                        Kind.SIZE,
                        "entries are counted, not their bytes",
                        patch("log.Entry", "weight", bodyGives(1))),
                mutant(
                        "release-forgotten",
                        Kind.SIZE,
                        "entries that are let go of go on counting",
                        patch("lanes.LaneLog", "drop", callGives(ROOT + "lanes.LaneLog$Slot", "weight", 0))),
                mutant(
                        "vote-without-room",
                        Kind.SIZE,
                        "who lags votes for what it cannot hold",
                        patch("lanes.Lane", "received", callGives(ROOT + "lanes.LaneRoom", "hasFor", true))),
                mutant(
                        "row-release-forgotten",
                        Kind.SIZE,
                        "rows that are let go of go on counting",
                        patch("chains.RowMemory", "letGo", callGives(ROOT + "chains.RowState", "weight", 0L))),
                mutant(
                        "admission-not-counted",
                        Kind.SIZE,
                        "as much is proposed as is asked for, however far all lag",
                        patch("Admission", "isLimited", bodyGives(false))),
                mutant(
                        "deleted-still-shown",
                        Kind.SIZE,
                        "what only an earlier edition has stays in the users' table",
                        patch("port.Effect$ForgetEditions", "count", bodyGives(0L))),
                mutant(
                        "absence-overlooked",
                        Kind.SIZE,
                        "rows that an earlier process has left as absent are not looked for",
                        patch("chains.RowMemory", "missedVersion", bodyGives(0L))),
                mutant(
                        "large-rows-unforeseen",
                        Kind.LARGE_ROWS,
                        "rows are read and written without asking how much they will take",
                        patch("chains.RowLoads", "bytes", bodyGives(0L))));
    }
}
