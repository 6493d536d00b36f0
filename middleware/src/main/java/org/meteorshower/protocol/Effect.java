/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the protocol core wants done. Effects of one step are carried out in their order, and those of one step before
 * those of the next; {@code Journal...} and {@code PersistCeiling} are durable before a later {@link Send} leaves.
 */
public sealed interface Effect {
    record Send(NodeId to, Message message) implements Effect {}

    // --- the journal -------------------------------------------------------------------------------------------

    /** Remember, through a crash, that this update was stamped here. */
    record JournalApplied(Update update, long appliedMicros) implements Effect {}

    /** The journal may forget this mutation. */
    record JournalRetired(PartitionKey key, MutationId id) implements Effect {}

    /** Remember F: no hybrid clock value above it is used before a larger one is remembered. */
    record PersistCeiling(long ceilingMicros) implements Effect {}

    /** Remember what this node can say of an enabled table. */
    record JournalTable(UUID table, long sinceMicros, boolean baseline, boolean ready) implements Effect {}

    /** Forget what was remembered of a table: it is no longer enabled. */
    record JournalTableDropped(UUID table) implements Effect {}

    /** Remember whether a peer is left behind: it is refused until it comes back, by itself or by hand. */
    record JournalStale(NodeId peer, boolean stale) implements Effect {}

    // --- coming back ---------------------------------------------------------------------------------------------

    /**
     * Bring into the store all that these peers hold of the enabled tables that they share with this node: {@link
     * Event.ForeignDataComing} for each table, its data, {@link Event.ForeignData} for each, then {@link Event.Filled}.
     */
    record FillFrom(long number, List<NodeId> sources) implements Effect {}

    // --- applying ----------------------------------------------------------------------------------------------

    /** The update may now enter the store; its {@code applied} is fixed. */
    record Stamped(long appliedMicros) implements Effect {}

    /** The update is known here as retired or applied already; it may enter the store, nothing needs telling. */
    record AlreadyApplied() implements Effect {}

    /** Read what the update's rows hold, then offer it again with this version. */
    record NeedHistory(long asOfVersion) implements Effect {}

    /** The mutation's timestamp is too far ahead of the clock: it must not enter the store. */
    record RefuseMutation(long aheadMicros) implements Effect {}

    /** Too much is in flight here to take one mutation more: it must not enter the store. Its sender will offer it again. */
    record NoRoom(String why) implements Effect {}

    /** As {@link ApplyToStore}, of a mutation whose content is in the journal. */
    record ApplyFromJournal(PartitionKey key, MutationId id) implements Effect {}

    /**
     * Send the peer a mutation whose content is in the journal, as {@link Message.Settle}, soon and in no order; or not at all, where that
     * cannot be done: it will be asked for again.
     *
     * @param hlcMicros of the message
     */
    record SettleFromJournal(NodeId to, long hlcMicros, PartitionKey key, MutationId id) implements Effect {}

    /** Apply this mutation to the store as if it had just arrived (settling, or again after a failure). */
    record ApplyToStore(Update update) implements Effect {}

    // --- reads -------------------------------------------------------------------------------------------------

    /**
     * Answer the read at this cut. With {@code overlay} null the store's content is the answer; otherwise the rows in
     * {@code overlay.history()} come from it and from {@code overlay.visible()}, and all other rows from the store.
     *
     * @param confirm whether {@link Event.StoreRead} must follow; false where the store was not needed
     */
    record ReadAt(long readId, ReadInfo info, @Nullable Overlay overlay, boolean confirm) implements Effect {}

    /**
     * @param visible the mutations to merge over the history, none of which is invisible at the cut
     */
    record Overlay(History history, List<Update> visible) {}

    /**
     * How a read was served.
     *
     * @param cutMicros t
     * @param stalenessMicros the coordinator's physical clock less t, at least 0: the answer is no older than this
     *     but for clock error
     * @param awaited what it waited for first; null where it did not wait, or where that is not known
     */
    record ReadInfo(
            long cutMicros,
            Served served,
            long stalenessMicros,
            @Nullable Awaited awaited) {
        public ReadInfo(long cutMicros, Served served, long stalenessMicros) {
            this(cutMicros, served, stalenessMicros, null);
        }
    }

    /** Nothing entered the rows since: the answer that was read is right. */
    record ReadConfirmed(long readId) implements Effect {}

    record ReadFailed(long readId, ReadFailure failure, String detail) implements Effect {}

    /** Why a read could not be served. */
    enum ReadFailure {
        /** The deadline passed; too few replicas were heard, or the row stayed in flight. */
        TIMED_OUT,
        /** Too many reads wait already. */
        OVERLOADED,
        /** The mode needs clocks that agree, and they do not. */
        CLOCK,
        /** The token is further ahead than any clock can be. */
        BAD_TOKEN,
        /** This node is no replica of the partition. */
        NOT_A_REPLICA,
        /** The table is not (yet) served: a replica has not enabled it, or its baseline is not confirmed. */
        NOT_READY
    }

    // --- reads that take no step -------------------------------------------------------------------------------

    /** A mutation of this partition is in flight from now on: one that is stamped here, or that a peer has announced. */
    record Stirred(PartitionKey key) implements Effect {}

    /**
     * What reads of partitions can rely on in which nothing is in flight.
     *
     * @param cuts in place of all that were told before
     * @param settled a partition for each mutation that is in flight no more
     * @param contentUnknown whether a store's content may change unannounced, or has done so: no reading from before counts
     */
    record Rested(List<RestingCut> cuts, List<PartitionKey> settled, boolean contentUnknown) implements Effect {}

    /**
     * A cut at which the store's content answers any read of a partition at rest.
     *
     * @param untilNanos after this a read must be a step
     */
    record RestingCut(ReplicaGroup group, UUID table, long cutMicros, long untilNanos) {}

    // --- writes ------------------------------------------------------------------------------------------------

    /** The write's timestamp: to be used for every cell of it. */
    record WriteStamped(long writeId, long timestampMicros) implements Effect {}

    record WriteRefused(long writeId, ReadFailure failure, String detail) implements Effect {}

    /** w replicas have applied every partition of the write; the session's new token is {@code tokenMicros}. */
    record WriteDone(long writeId, long tokenMicros) implements Effect {}

    /**
     * Nothing will tell whether the write was applied: its table was disabled meanwhile. It may take effect, now or later, or never.
     */
    record WriteLost(long writeId) implements Effect {}

    // --- for people --------------------------------------------------------------------------------------------

    /** Something an operator must hear of. */
    record Alarm(AlarmKind kind, String detail) implements Effect {}

    /** Kinds of alarm, for counting. */
    enum AlarmKind {
        /** A peer, token or mutation is further ahead than the bound. */
        CLOCK_AHEAD,
        /** The clock of a peer and this node's differ by about as much as {@code strict} allows, or more: it is not given. */
        CLOCKS_APART,
        /** A peer was left behind because records grew over their limit. */
        PEER_STALE,
        /** This node was told that it was left behind. */
        LEFT_BEHIND,
        /** Something could not be journaled, or an invariant broke: this node takes part no more until it is restarted. */
        STOPPED,
        /** A message made no sense in the state it met. */
        PROTOCOL
    }
}
