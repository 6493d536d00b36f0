/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import static org.meteorshower.lab.simulate.CatenaeMutants.ROOT;
import static org.meteorshower.lab.simulate.CatenaeMutants.mutant;
import static org.meteorshower.lab.simulate.CatenaeMutants.patch;
import static org.meteorshower.lab.simulate.Edit.bodyGives;
import static org.meteorshower.lab.simulate.Edit.callGives;
import static org.meteorshower.lab.simulate.Edit.callGivesFirstArgument;
import static org.meteorshower.lab.simulate.Edit.fieldGives;

import java.util.List;
import java.util.stream.Stream;
import org.meteorshower.transactions.simulator.Kind;

/** The mistakes that are made on purpose in chain servers and their sequencer. */
final class ServerMutants {
    private static final String SERVER = ROOT + "servers.RangeServer";
    private static final String RECEIVING = SERVER + "$Receiving";
    private static final String SEQUENCER = ROOT + "servers.Sequencer";
    private static final String EXECUTING = ROOT + "servers.Executing";
    private static final String TABLES = ROOT + "servers.Tables";
    private static final String KEPT = ROOT + "servers.KeptMessages";
    private static final String PROGRESS = ROOT + "servers.RangeProgress";

    /** Later than all that is executed. */
    private static final long THE_FUTURE = 1L << 40;

    private ServerMutants() {}

    static List<CatenaeMutant> all() {
        return Stream.of(order(), rows(), ranges()).flatMap(List::stream).toList();
    }

    private static List<CatenaeMutant> order() {
        return List.of(
                mutant(
                        "gap-taken-for-empty",
                        Kind.SERVER_DIES_MID_CHAIN,
                        "a range takes slices that it did not get for empty ones",
                        patch(RECEIVING, "on", callGives(RECEIVING, "isWithoutGap", true))),
                mutant(
                        "passed-on-before-turn",
                        Kind.SERVER_DIES_MID_CHAIN,
                        "a row that may be written is passed on before it is known what is written",
                        patch(EXECUTING, "forward", callGives(EXECUTING, "isPassedOn", true))),
                mutant(
                        "turn-before-all-told",
                        Kind.SERVER_DIES_MID_CHAIN,
                        "a transaction is evaluated although not all ranges have told what they hold",
                        patch(EXECUTING, "turn", callGives("java.util.List", "isEmpty", true))),
                mutant(
                        "kept-until-executed",
                        Kind.SERVER_DIES_MID_CHAIN,
                        "what was handed goes once its receiver has executed it, as if nobody could ask again",
                        patch(KEPT, "trim", fieldGives("mostBytes", 0L)),
                        patch("servers.Handing", "again", callGives(KEPT, "hasAll", true))),
                mutant(
                        "let-go-untold",
                        Kind.SERVERS_WITH_LITTLE_MEMORY,
                        "who has let go of what is asked for does not begin anew",
                        patch("servers.Handing", "again", callGives(KEPT, "hasAll", true))),
                mutant(
                        "nobody-asks",
                        Kind.SERVER_DIES_MID_CHAIN,
                        "who waits for a message does not ask for it",
                        patch(SERVER, "tick", callGives(SERVER, "askFor", Edit.NOTHING))),
                mutant(
                        "behind-k-goes-on",
                        Kind.SPLIT_ASSIGNMENT,
                        "a server that K has passed goes on where it was",
                        patch(RECEIVING, "on", callGives(SERVER, "executed", THE_FUTURE))),
                mutant(
                        "newest-read-after-takeover",
                        Kind.TWO_SERVERS_DIE,
                        "a server that begins reads the newest rows, and not those as of K",
                        patch("chains.RowMemory", "flushOr", callGives(ROOT + "log.Version", "endOf", Long.MAX_VALUE))),
                mutant(
                        "cut-taken-for-held",
                        Kind.TWO_SERVERS_DIE,
                        "K becomes a cut that not all tables hold",
                        patch(PROGRESS, "holdsCut", bodyGives(true))),
                mutant(
                        "k-before-outcomes",
                        Kind.SERVER_DIES_MID_CHAIN,
                        "K passes transactions whose outcomes are not known",
                        patch(SEQUENCER, "lookAtCut", callGives(SEQUENCER, "isAnswered", true))),
                mutant(
                        "any-life-believed",
                        Kind.SERVERS_WITH_LITTLE_MEMORY,
                        "how far a replaced server was counts for its successor",
                        patch(PROGRESS, "told", callGives(ROOT + "servers.Life", "compareTo", 0))),
                mutant(
                        "slice-credit-ignored",
                        Kind.SERVERS_WITH_LITTLE_MEMORY,
                        "slices are sent although there is no room for them",
                        patch(PROGRESS, "hasRoomFor", bodyGives(true))),
                mutant(
                        "first-slice-needs-room",
                        Kind.SERVERS_WITH_LITTLE_MEMORY,
                        "the first slice that is not executed everywhere is not sent without room",
                        patch(SEQUENCER, "mayTake", callGives(SEQUENCER, "least", -1L))),
                mutant(
                        "kept-for-ever",
                        Kind.SERVERS_WITH_LITTLE_MEMORY,
                        "what was handed is kept however much it is",
                        patch(KEPT, "trim", bodyGives(Edit.NOTHING))));
    }

    private static List<CatenaeMutant> rows() {
        return List.of(
                mutant(
                        "packet-kept-until-full",
                        Kind.CHAIN_SERVERS,
                        "what is left of a packet when a step is over waits for more",
                        patch("servers.Packets", "flush", bodyGives(Edit.NOTHING))),
                mutant(
                        "front-not-checked",
                        Kind.CHAIN_SERVERS,
                        "a request is executed although its rows are not those that were named in front",
                        patch("fronts.Bodies", "read", callGives(ROOT + "fronts.Bodies", "isSaid", true))),
                mutant(
                        "trailing-bytes-read",
                        Kind.CHAIN_SERVERS,
                        "a request is executed although bytes are left over behind it",
                        patch("fronts.Bodies", "read", callGives(ROOT + "codec.DataIn", "end", Edit.NOTHING))),
                mutant(
                        "let-go-in-order",
                        Kind.SERVERS_WITH_LITTLE_MEMORY,
                        "what was let go last is taken for the highest, although it is let go of in no order",
                        patch(KEPT, "trim", callGivesFirstArgument("java.lang.Math", "max"))),
                mutant(
                        "waits-for-a-k-it-was-told",
                        Kind.SPLIT_ASSIGNMENT,
                        "where nothing is found a server waits for a K, although it has executed all below",
                        patch(SERVER, "rowsRead", callGives(SERVER, "executed", -1L))),
                mutant(
                        "relies-on-a-note",
                        Kind.CHAIN_SERVERS,
                        "a row of which something ends is not noted where an earlier version was",
                        patch(TABLES, "writeBehind", callGivesFirstArgument(ROOT + "servers.Dues", "noted"))),
                mutant(
                        "not-looked-for-again",
                        Kind.CHAIN_SERVERS,
                        "what ends and was written where it was looked before is not looked for again",
                        patch(SEQUENCER, "isDurable", callGives(SEQUENCER + "$Listener", "endsFrom", Edit.NOTHING))),
                mutant(
                        "note-of-no-count",
                        Kind.CHAIN_SERVERS,
                        "notes of what ends are forgotten although K has not passed their rows",
                        patch("servers.ServerEffect$Write", "asOf", bodyGives(0L))),
                mutant(
                        "cut-overwritten",
                        Kind.SERVER_DIES_MID_CHAIN,
                        "what a row was at a cut that is not written yet goes when it is written again",
                        patch(EXECUTING, "write", callGives(TABLES, "dueCut", -1L))),
                mutant(
                        "evicted-before-it-is-written",
                        Kind.SERVERS_WITH_LITTLE_MEMORY,
                        "a row leaves memory although the tables do not hold what was written",
                        patch("chains.RowState", "isIdle", callGives(ROOT + "chains.RowState", "isClean", true))));
    }

    private static List<CatenaeMutant> ranges() {
        String looks = ROOT + "servers.Looks";
        String visit = ROOT + "servers.Visit";
        return List.of(
                mutant(
                        "servers-share-partitions",
                        Kind.CHAIN_RANGES,
                        "who has a partition to itself does not wait for those before, nor do those behind for it",
                        patch(
                                "chains.QueuedRows",
                                "heads",
                                callGives(ROOT + "chains.PartitionQueues", "admits", true))),
                mutant(
                        "partition-passed-on-before-turn",
                        Kind.CHAIN_RANGES,
                        "a range passes on a partition before it is known what is read and written there",
                        patch(visit, "isToldBack", callGives(visit, "hasClaimsIn", false))),
                mutant(
                        "answer-to-another-question",
                        Kind.CHAIN_RANGES,
                        "what a range has told at another look is taken for the answer",
                        patch("servers.Inbox$Box", "isTo", bodyGives(true))),
                mutant(
                        "writes-beside-not-told",
                        Kind.CHAIN_RANGES,
                        "of what is written only rows that the transaction names are",
                        patch(EXECUTING, "write", callGives(ROOT + "chains.Touched", "names", true))),
                mutant(
                        "told-back-before-it-has-answered",
                        Kind.CHAIN_RANGES,
                        "a range that is told what is written ends, although it has not answered all questions",
                        patch(EXECUTING, "backward", callGives(looks, "hasAnswered", true))));
    }
}
