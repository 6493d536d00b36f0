/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What happens to a node, told to its {@link SequentialReads protocol core} one at a time. */
public sealed interface Event {
    /** Calls the handler's method for this kind. */
    void handOver(Handler to);

    /** Whether it is about a client's operation: then nothing changes of what is known of others. */
    boolean isOfClient();

    /** Of a client's operation, at its coordinator or at a replica. */
    sealed interface OfClient extends Event {
        @Override
        default boolean isOfClient() {
            return true;
        }
    }

    /** Of the node: time, messages, and what operators and the store tell it. */
    sealed interface OfNode extends Event {
        @Override
        default boolean isOfClient() {
            return false;
        }
    }

    /**
     * Does something with each kind of event. No method has a default: who handles events says what it does with a new
     * kind.
     */
    interface Handler {
        void on(Tick tick);

        void on(Received received);

        void on(Intended intended);

        void on(Applied applied);

        void on(ApplyFailed failed);

        void on(Acknowledging acknowledging);

        void on(Observed observed);

        void on(TimestampTaken taken);

        void on(ReadStarted started);

        void on(StoreRead read);

        void on(ReadAbandoned abandoned);

        void on(ScanStarted started);

        void on(ScanLowered lowered);

        void on(ScanRaised raised);

        void on(ScanRead read);

        void on(PinnedReadStarted started);

        void on(WriteStarted started);

        void on(WriteAbandoned abandoned);

        void on(SettingsChanged changed);

        void on(PeersChanged changed);

        void on(TableEnabled enabled);

        void on(TableFilled filled);

        void on(TableRepaired repaired);

        void on(TableMoved moved);

        void on(TableFollowed followed);

        void on(TableOpened opened);

        void on(TableLeft left);

        void on(BaselineConfirmed confirmed);

        void on(TableDisabled disabled);

        void on(TableEnded ended);

        void on(PeerRepairing repairing);

        void on(ComeBack comeBack);

        void on(Filled filled);

        void on(JournalNearlyFull nearlyFull);

        void on(PeerRepaired repaired);

        void on(ForeignDataComing coming);

        void on(ForeignData foreign);
    }

    /** Some time has passed; to be told at least once per dispatch interval. Everything periodic hangs on it. */
    record Tick() implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** A message came from a peer whose identity the transport has checked. */
    record Received(NodeId from, Message message) implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** An operator has changed settings. What began under the earlier ones goes on under these. */
    record SettingsChanged(Settings settings) implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** The nodes that share data with this one now. Streams start towards new ones and end for those that left. */
    record PeersChanged(Set<NodeId> peers) implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * A mutation is about to enter the store, whichever way it came. Answered at once by {@link Effect.Stamped}, or by
     * {@link Effect.NeedHistory} where the store must first be asked what the touched rows hold.
     *
     * @param history what the store held of the update's rows; null on the first attempt
     * @param asOfVersion the version that {@link Effect.NeedHistory} gave, 0 on the first attempt
     * @param attempt counts from 0; after a few the mutation is stamped without history
     */
    record Intended(Update update, @Nullable History history, long asOfVersion, int attempt) implements OfClient {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** The mutation is in the store: every local read that begins now sees it. */
    record Applied(PartitionKey key, MutationId id) implements OfClient {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** The store refused a mutation that was stamped. It will be tried again. */
    record ApplyFailed(PartitionKey key, MutationId id) implements OfClient {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * A client's write is in the store, and its coordinator waits to hear so.
     *
     * @param coordinator another node, which is told what it needs to know beside the acknowledgement; null for this
     *     one
     * @param receipt the number of the coordinator's request, where the core may answer it in place of who carried it
     *     out: by a status message, or else it {@linkplain Effect.ReceiptReturned returns} the receipt at once.
     *     {@link #NO_RECEIPT} where it is answered anyway
     */
    record Acknowledging(@Nullable NodeId coordinator, PartitionKey key, MutationId id, long receipt)
            implements OfClient {
        public static final long NO_RECEIPT = 0;

        public Acknowledging(@Nullable NodeId coordinator, PartitionKey key, MutationId id) {
            this(coordinator, key, id, NO_RECEIPT);
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * This node, no replica, has got an answer from one that is, at this cut, and is about to pass it on: no session
     * here may go back behind it, also after a restart.
     */
    record Observed(long cutMicros) implements OfClient {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * This node is about to send a write with a timestamp that another node gave: from now on it gives no other write
     * the same one, also after a restart.
     */
    record TimestampTaken(long timestampMicros) implements OfClient {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * A client's read begins, at a replica. Answered by {@link Effect.ReadAt} now or later, or
     * {@link Effect.ReadFailed}.
     *
     * @param row the hash of the only row that is read, or {@link Update#ANY_ROW}
     * @param tokenMicros the session token s
     * @param deadlineNanos on the elapsed clock
     */
    record ReadStarted(long readId, PartitionKey key, long row, long tokenMicros, ReadMode mode, long deadlineNanos)
            implements OfClient {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * The store has been read as {@link Effect.ReadAt} asked. Answered by ReadConfirmed, ReadAt again, or ReadFailed.
     */
    record StoreRead(long readId) implements OfClient {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * A client's scan begins, at a node that holds all partitions of its range. Answered by {@link Effect.ReadAt} now
     * or later, whose cut is pinned from then on, or by {@link Effect.ReadFailed}. The latter may come at any time
     * after that, too: then the cut is not kept any more. Ended by {@link ReadAbandoned}.
     *
     * @param tokenMicros the session token s; for a later page also the cut of the last one
     * @param deadlineNanos on the elapsed clock
     * @param shared whether other nodes read other parts of it at the same cut. Then older cuts than the one that is
     *     told are kept, too, as far back as others may be behind
     */
    record ScanStarted(long readId, ScanRange range, long tokenMicros, long deadlineNanos, boolean shared)
            implements OfClient {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * A scan that is shared may have to be read at an older cut than the one that was told, since others can. Before it
     * is raised. Answered by {@link Effect.ScanLowered}.
     *
     * @param mostMicros no newer cut than this
     */
    record ScanLowered(long readId, long mostMicros) implements OfClient {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * A scan that is shared is read at this cut, which is not older than what is kept. Before anything is read.
     * Answered as {@link ScanStarted} is, when the cut is covered.
     *
     * @param deadlineNanos on the elapsed clock
     */
    record ScanRaised(long readId, long cutMicros, long deadlineNanos) implements OfClient {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** The store, or an index of it, has been scanned at the pinned cut. Answered by {@link Effect.ScanStirred}. */
    record ScanRead(long readId) implements OfClient {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * One partition of a scan's range is to be read, in whole, at the scan's cut. Answered as {@link ReadStarted} is.
     *
     * @param scanId of the scan
     * @param deadlineNanos on the elapsed clock
     */
    record PinnedReadStarted(long readId, long scanId, PartitionKey key, long deadlineNanos) implements OfClient {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** Nobody waits for this read any more; a scan's cut is not kept any longer. */
    record ReadAbandoned(long readId) implements OfClient {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * A client's write begins. Answered at once by {@link Effect.WriteStamped}.
     *
     * @param keys the partitions written
     * @param strict whether the write must be ordered by physical time: it is then acknowledged after its timestamp has
     *     passed on all clocks
     * @param coordinator another node that sends the mutations to their replicas, and never uses a timestamp for two
     *     writes; null where this node does
     */
    record WriteStarted(
            long writeId,
            List<PartitionKey> keys,
            long tokenMicros,
            boolean strict,
            @Nullable NodeId coordinator) implements OfClient {
        public WriteStarted(long writeId, List<PartitionKey> keys, long tokenMicros, boolean strict) {
            this(writeId, keys, tokenMicros, strict, null);
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** The write's outcome is not known here and nobody waits for it any more. */
    record WriteAbandoned(long writeId) implements OfClient {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** From now on all mutations of this table are tracked. {@code empty}: this node holds nothing of it. */
    record TableEnabled(UUID table, boolean empty) implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * From now on all mutations of this table are tracked. This node, or another, holds data of it; what the replicas
     * hold is brought together without an operator, which {@link TableRepaired} and {@link BaselineConfirmed} tell.
     *
     * @param live whether reads here are Cassandra's own meanwhile. Only where this node has never before followed the
     *     table under this name: else some other node may serve it by now
     */
    record TableFilled(UUID table, boolean live) implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * What this node holds of the table has been repaired in full, after all replicas had enabled it; or is nothing.
     */
    record TableRepaired(UUID table) implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * All whom this node knows to hold, or to have held, what it holds of a table that has moved, follow the move, and
     * what it had promised some of them before has run out.
     */
    record TableFollowed(UUID table) implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * The table begins anew under this name because its partitions have moved between nodes: what it held under its
     * earlier name counts as data of before. Until {@link TableOpened}, or its baseline is confirmed here, writes of it
     * wait, and this node vouches for none: some node may still serve it under the earlier name.
     *
     * @param from the earlier name, where this node served the table under it until now: what it had in flight under
     *     that is carried over. To be told before {@link TableLeft}
     * @param live whether this node follows it for the first time under this name, so that it will know all that it
     *     stamps, and reads may be Cassandra's own
     */
    record TableMoved(UUID table, @Nullable UUID from, boolean live) implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * All who held partitions of a moved table with this node, or hold them now, follow its present name, so nobody
     * serves it under an earlier one: writes are taken, and the replicas brought together as of a table that
     * {@linkplain TableFilled was enabled}.
     */
    record TableOpened(UUID table) implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * From now on mutations of this table come under another name, which {@link TableMoved} has told. What was stamped
     * under this one is still told to the peers, but no read is served under it any more, also none that was offered a
     * cut: the store may get what this name knows nothing of.
     */
    record TableLeft(UUID table) implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** An operator says that a full repair ended after all replicas had enabled the table. */
    record BaselineConfirmed(UUID table) implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * Mutations of this table are no longer tracked; what was known of them is dropped. Reads of it that are under way
     * fail.
     */
    record TableDisabled(UUID table) implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * An operator has disabled this table: as {@link TableDisabled}, and from now on this node finds out when no other
     * one can serve it any more ({@link SequentialReads#isEnding}).
     *
     * @param groups who holds its partitions
     * @param everybody who is to be told at once: all nodes that may be asked for the table
     */
    record TableEnded(UUID table, Set<ReplicaGroup> groups, Set<NodeId> everybody) implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * An operator is about to repair a peer that was left behind. From now on nothing is retired without it, so that
     * the repair brings it all that was.
     */
    record PeerRepairing(NodeId peer) implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * Where peers have left this node behind, it begins to come back, unless it is about to already, or tried a moment
     * ago. To be told every second or so.
     */
    record ComeBack() implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * What {@link Effect.FillFrom} asked for has ended.
     *
     * @param complete whether the store holds all of it
     */
    record Filled(long number, boolean complete) implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** The journal has hardly any room left. */
    record JournalNearlyFull() implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * An operator says that a full repair of that peer, begun after {@link PeerRepairing} at every node that left it
     * behind, has ended: it may take part again. Refused with an alarm where the first step is missing.
     */
    record PeerRepaired(NodeId peer) implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** Data of this table is about to come into the store past {@link Intended}; {@link ForeignData} follows. */
    record ForeignDataComing(UUID table) implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** Data of this table came into the store past {@link Intended}: streamed by a repair, or imported. */
    record ForeignData(UUID table) implements OfNode {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }
}
