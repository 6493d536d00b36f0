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
    /** Calls the handler's method for this kind. */
    void handOver(Handler to);

    /**
     * Does something with each kind of effect. No method has a default: who handles effects says what it does with a
     * new kind.
     */
    interface Handler {
        void on(Send send);

        void on(JournalApplied applied);

        void on(JournalRetired retired);

        void on(PersistCeiling ceiling);

        void on(JournalTable table);

        void on(JournalTableDropped dropped);

        void on(JournalStale peer);

        void on(FillFrom order);

        void on(ApplyFromJournal apply);

        void on(SettleFromJournal settle);

        void on(ApplyToStore apply);

        void on(Stirred stirred);

        void on(Rested rested);

        void on(ReceiptReturned returned);

        void on(Alarm alarm);

        void on(MutationAnswer answer);

        void on(ReadAnswer answer);

        void on(WriteAnswer answer);
    }

    record Send(NodeId to, Message message) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** No status message will carry this receipt: whoever gave it is to answer the coordinator. */
    record ReceiptReturned(NodeId coordinator, long receipt) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    // --- the journal -------------------------------------------------------------------------------------------

    /** Remember, through a crash, that this update was stamped here. */
    record JournalApplied(Update update, long appliedMicros) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** The journal may forget this mutation. */
    record JournalRetired(PartitionKey key, MutationId id) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** Remember F: no hybrid clock value above it is used before a larger one is remembered. */
    record PersistCeiling(long ceilingMicros) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * Remember what this node can say of an enabled table.
     *
     * @param live whether its reads are Cassandra's own until its baseline is known
     */
    record JournalTable(UUID table, long sinceMicros, boolean baseline, boolean ready, boolean live) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** Forget what was remembered of a table: it is no longer enabled. */
    record JournalTableDropped(UUID table) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** Remember whether a peer is left behind: it is refused until it comes back, by itself or by hand. */
    record JournalStale(NodeId peer, boolean stale) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    // --- coming back ---------------------------------------------------------------------------------------------

    /**
     * Bring into the store all that these peers hold of the enabled tables that they share with this node:
     * {@link Event.ForeignDataComing} for each table, its data, {@link Event.ForeignData} for each, then
     * {@link Event.Filled}.
     */
    record FillFrom(long number, List<NodeId> sources) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    // --- applying ----------------------------------------------------------------------------------------------

    /** Answers {@link Event.Intended} at once. */
    sealed interface MutationAnswer extends Effect {
        /** Calls the handler's method for this kind. */
        void handOver(MutationAnswer.Handler to);

        @Override
        default void handOver(Effect.Handler to) {
            to.on(this);
        }

        /** Does something with each kind. */
        interface Handler {
            void on(Stamped stamped);

            void on(AlreadyApplied known);

            void on(NeedHistory needed);

            void on(RefuseMutation refused);

            void on(NoRoom full);
        }
    }

    /** The update may now enter the store; its {@code applied} is fixed. */
    record Stamped(long appliedMicros) implements MutationAnswer {
        @Override
        public void handOver(MutationAnswer.Handler to) {
            to.on(this);
        }
    }

    /** The update is known here as retired or applied already; it may enter the store, nothing needs telling. */
    record AlreadyApplied() implements MutationAnswer {
        @Override
        public void handOver(MutationAnswer.Handler to) {
            to.on(this);
        }
    }

    /** Read what the update's rows hold, then offer it again with this version. */
    record NeedHistory(long asOfVersion) implements MutationAnswer {
        @Override
        public void handOver(MutationAnswer.Handler to) {
            to.on(this);
        }
    }

    /** The mutation's timestamp is too far ahead of the clock: it must not enter the store. */
    record RefuseMutation(long aheadMicros) implements MutationAnswer {
        @Override
        public void handOver(MutationAnswer.Handler to) {
            to.on(this);
        }
    }

    /**
     * Too much is in flight here to take one mutation more: it must not enter the store. Its sender will offer it
     * again.
     */
    record NoRoom(String why) implements MutationAnswer {
        @Override
        public void handOver(MutationAnswer.Handler to) {
            to.on(this);
        }
    }

    /** As {@link ApplyToStore}, of a mutation whose content is in the journal. */
    record ApplyFromJournal(PartitionKey key, MutationId id) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * Send the peer a mutation whose content is in the journal, as {@link Message.Settle}, soon and in no order; or not
     * at all, where that cannot be done: it will be asked for again.
     *
     * @param hlcMicros of the message
     */
    record SettleFromJournal(NodeId to, long hlcMicros, PartitionKey key, MutationId id) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** Apply this mutation to the store as if it had just arrived (settling, or again after a failure). */
    record ApplyToStore(Update update) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    // --- reads -------------------------------------------------------------------------------------------------

    /** Of a client's read, for who waits for it. */
    sealed interface ReadAnswer extends Effect {
        /** Calls the handler's method for this kind. */
        void handOver(ReadAnswer.Handler to);

        @Override
        default void handOver(Effect.Handler to) {
            to.on(this);
        }

        long readId();

        /** Whether nothing more is answered to the question. */
        boolean isLast();

        /** Does something with each kind. */
        interface Handler {
            void on(ReadAt at);

            void on(ReadConfirmed confirmed);

            void on(ReadFailed failed);

            void on(ScanLowered lowered);

            void on(ScanStirred stirred);
        }
    }

    /**
     * Answer the read at this cut. With {@code overlay} null the store's content is the answer; otherwise the rows in
     * {@code overlay.history()} come from it and from {@code overlay.visible()}, and all other rows from the store.
     *
     * @param confirm whether {@link Event.StoreRead} must follow; false where the store was not needed
     */
    record ReadAt(long readId, ReadInfo info, @Nullable Overlay overlay, boolean confirm) implements ReadAnswer {
        @Override
        public void handOver(ReadAnswer.Handler to) {
            to.on(this);
        }

        @Override
        public boolean isLast() {
            return !confirm;
        }
    }

    /** @param visible the mutations to merge over the history, none of which is invisible at the cut */
    record Overlay(History history, List<Update> visible) {}

    /**
     * How a read was served.
     *
     * @param cutMicros t
     * @param stalenessMicros the coordinator's physical clock less t, at least 0: the answer is no older than this but
     *     for clock error
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
    record ReadConfirmed(long readId) implements ReadAnswer {
        @Override
        public void handOver(ReadAnswer.Handler to) {
            to.on(this);
        }

        @Override
        public boolean isLast() {
            return true;
        }
    }

    /**
     * Answers {@link Event.ScanLowered}.
     *
     * @param newestMicros the newest cut that is not above what was asked for, and at which all can be answered;
     *     {@link Long#MIN_VALUE} where there is none among those that are kept
     */
    record ScanLowered(long readId, long newestMicros) implements ReadAnswer {
        @Override
        public void handOver(ReadAnswer.Handler to) {
            to.on(this);
        }

        @Override
        public boolean isLast() {
            return false;
        }
    }

    /**
     * Answers {@link Event.ScanRead}: what the store said of all other partitions of the range is their content at the
     * scan's cut. These are to be read one by one ({@link Event.PinnedReadStarted}).
     */
    record ScanStirred(long readId, List<PartitionKey> partitions) implements ReadAnswer {
        @Override
        public void handOver(ReadAnswer.Handler to) {
            to.on(this);
        }

        @Override
        public boolean isLast() {
            return false;
        }
    }

    record ReadFailed(long readId, Failure failure, String detail) implements ReadAnswer {
        @Override
        public void handOver(ReadAnswer.Handler to) {
            to.on(this);
        }

        @Override
        public boolean isLast() {
            return true;
        }
    }

    /** Why a read could not be served. */
    enum Failure {
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
        /** The cut of a scan cannot be answered any more: the scan, or its page, is to begin anew at a newer one. */
        CUT_GONE,
        /** The table is not (yet) served: a replica has not enabled it, or its baseline is not confirmed. */
        NOT_READY
    }

    // --- reads that take no step -------------------------------------------------------------------------------

    /**
     * A mutation of this partition is in flight from now on: one that is stamped here, or that a peer has announced.
     */
    record Stirred(PartitionKey key) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * What reads of partitions can rely on in which nothing is in flight.
     *
     * @param cuts in place of all that were told before
     * @param settled a partition for each mutation that is in flight no more
     * @param contentUnknown whether a store's content may change unannounced, or has done so: no reading from before
     *     counts
     */
    record Rested(List<RestingCut> cuts, List<PartitionKey> settled, boolean contentUnknown) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * A cut at which the store's content answers any read of a partition at rest.
     *
     * @param untilNanos after this a read must be a step
     * @param strictUntilNanos before this the answer to a strict read at home as well; where there are none, never
     */
    record RestingCut(ReplicaGroup group, UUID table, long cutMicros, long untilNanos, long strictUntilNanos) {}

    // --- writes ------------------------------------------------------------------------------------------------

    /** Of a client's write, for who waits for it. */
    sealed interface WriteAnswer extends Effect {
        /** Calls the handler's method for this kind. */
        void handOver(WriteAnswer.Handler to);

        @Override
        default void handOver(Effect.Handler to) {
            to.on(this);
        }

        long writeId();

        /** Whether nothing more is answered to the question. */
        boolean isLast();

        /** Does something with each kind. */
        interface Handler {
            void on(WriteStamped stamped);

            void on(WriteRefused refused);

            void on(WriteDone done);

            void on(WriteLost lost);
        }
    }

    /** The write's timestamp: to be used for every cell of it. */
    record WriteStamped(long writeId, long timestampMicros) implements WriteAnswer {
        @Override
        public void handOver(WriteAnswer.Handler to) {
            to.on(this);
        }

        @Override
        public boolean isLast() {
            return false;
        }
    }

    record WriteRefused(long writeId, Failure failure, String detail) implements WriteAnswer {
        @Override
        public void handOver(WriteAnswer.Handler to) {
            to.on(this);
        }

        @Override
        public boolean isLast() {
            return true;
        }
    }

    /** w replicas have applied every partition of the write; the session's new token is {@code tokenMicros}. */
    record WriteDone(long writeId, long tokenMicros) implements WriteAnswer {
        @Override
        public void handOver(WriteAnswer.Handler to) {
            to.on(this);
        }

        @Override
        public boolean isLast() {
            return true;
        }
    }

    /**
     * Nothing will tell whether the write was applied: its table was disabled meanwhile. It may take effect, now or
     * later, or never.
     */
    record WriteLost(long writeId) implements WriteAnswer {
        @Override
        public void handOver(WriteAnswer.Handler to) {
            to.on(this);
        }

        @Override
        public boolean isLast() {
            return true;
        }
    }

    // --- for people --------------------------------------------------------------------------------------------

    /** Something an operator must hear of. */
    record Alarm(AlarmKind kind, String detail) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** Kinds of alarm, for counting. */
    enum AlarmKind {
        /** A peer, token or mutation is further ahead than the bound. */
        CLOCK_AHEAD,
        /**
         * The clock of a peer and this node's differ by about as much as {@code strict} allows, or more: it is not
         * given.
         */
        CLOCKS_APART,
        /** A peer was left behind because records grew over their limit. */
        PEER_STALE,
        /** This node was told that it was left behind. */
        LEFT_BEHIND,
        /**
         * Something could not be journaled, or an invariant broke: this node takes part no more until it is restarted.
         */
        STOPPED,
        /** A message made no sense in the state it met. */
        PROTOCOL
    }
}
