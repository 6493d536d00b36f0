/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What nodes tell each other. Every message carries its sender's hybrid clock (clock rule 1). Messages may be lost,
 * repeated, delayed and reordered; correctness never depends on the transport.
 */
public sealed interface Message {
    /** The sender's hybrid logical clock when it sent this, in microseconds. */
    long hlcMicros();

    /** The numbers of requests of the receiver's that the sender has carried out, instead of an answer to each. */
    default List<Long> receipts() {
        return List.of();
    }

    /** The life of the receiver that receipts are for. */
    default long receiverIncarnation() {
        return 0;
    }

    /**
     * Calls the handler's method for this kind.
     *
     * @param context passed on to it
     */
    <C> void handOver(Handler<C> to, C context);

    /**
     * Does something with each kind of message. No method has a default: who handles messages says what it does with a
     * new kind.
     *
     * @param <C> what it needs to know beside the message, such as who sent it
     */
    interface Handler<C> {
        void on(StatusMessage status, C context);

        void on(Snapshot snapshot, C context);

        void on(Subscribe subscribe, C context);

        void on(Tables reports, C context);

        void on(ReRequest request, C context);

        void on(WriteAck ack, C context);

        void on(Settle settle, C context);

        void on(Fetch fetch, C context);

        void on(WhetherComplete question, C context);

        void on(Complete answer, C context);

        void on(Retired retired, C context);

        void on(Pull pull, C context);

        void on(Stale refusal, C context);

        void on(Returning returning, C context);

        void on(Awaited awaited, C context);
    }

    /**
     * Asks for a stream of status messages towards this incarnation of the sender; answered by a {@link Snapshot}.
     *
     * @param number names the stream to start; larger than that of every earlier request of this incarnation
     */
    record Subscribe(long hlcMicros, long incarnation, long number) implements Message {
        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /**
     * Starts a stream: all that the sender has applied and not retired, in one or more parts. Coverage begins at
     * {@code snapshotMicros} when the last part has arrived. Parts have the sequence numbers 0 to {@code parts - 1}.
     *
     * @param behindMicros 0, but for a receiver that was left behind and has not said yet that it is filled: the
     *     {@link Awaited#awaitedMicros} under which the sender waits for it. The stream then lacks what was retired
     *     before that, and covers nothing until the receiver has been filled
     */
    record Snapshot(
            long hlcMicros,
            StreamId stream,
            long snapshotMicros,
            int part,
            int parts,
            List<Announcement> applied,
            long behindMicros)
            implements Message {
        public Snapshot(
                long hlcMicros, StreamId stream, long snapshotMicros, int part, int parts, List<Announcement> applied) {
            this(hlcMicros, stream, snapshotMicros, part, parts, applied, 0);
        }

        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /**
     * The status message of the paper {Payload, MsgTs, Seq, Redundant}. It promises: everything this node applied at
     * {@code msgTsMicros} or before, and that the receiver shares, has been announced in this stream.
     *
     * @param seq numbers the messages of the stream from 1
     * @param payload what was applied since message {@code seq - 1}
     * @param redundant the payloads of the messages before this one, newest first, against loss
     * @param acknowledgedStream the receiver's stream towards the sender, or null before there is one
     * @param acknowledgedSeq the last message of that stream up to which the sender has all
     * @param echo lets the receiver measure the round trip
     * @param lease what the sender wishes and promises
     * @param receipts the numbers of requests of the receiver's that the sender has carried out, instead of an answer
     *     to each; also those of the messages that this one repeats
     */
    record StatusMessage(
            long hlcMicros,
            StreamId stream,
            long seq,
            long msgTsMicros,
            List<Announcement> payload,
            List<List<Announcement>> redundant,
            @Nullable StreamId acknowledgedStream,
            long acknowledgedSeq,
            Echo echo,
            Lease lease,
            List<Long> receipts)
            implements Message {
        /** One that says nothing of leases, and carries no receipts. */
        public StatusMessage(
                long hlcMicros,
                StreamId stream,
                long seq,
                long msgTsMicros,
                List<Announcement> payload,
                List<List<Announcement>> redundant,
                @Nullable StreamId acknowledgedStream,
                long acknowledgedSeq,
                Echo echo) {
            this(
                    hlcMicros,
                    stream,
                    seq,
                    msgTsMicros,
                    payload,
                    redundant,
                    acknowledgedStream,
                    acknowledgedSeq,
                    echo,
                    Lease.NONE,
                    List.of());
        }

        @Override
        public long receiverIncarnation() {
            return stream.receiverIncarnation();
        }

        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /**
     * @param sentNanos the sender's elapsed clock when it sent this
     * @param echoedNanos the {@code sentNanos} last received from the other side, 0 if none
     * @param heldNanos how long the sender held that before it echoed it here
     * @param sentWallMicros the sender's physical clock, for the estimate of clock differences
     */
    record Echo(long sentNanos, long echoedNanos, long heldNanos, long sentWallMicros) {}

    /**
     * What the sender wishes and promises ({@link Leases}).
     *
     * @param wished for which tables it asks the receiver for a promise ({@link TableStripes}); before version 8 for
     *     all or none
     * @param forMicros how long the receiver may count on the sender's promise; 0: it promises nothing
     * @param countedFromNanos from when on, by the receiver's elapsed clock
     * @param tables for which tables; before version 8 for all
     * @param promised whom the sender has promised something, and for which tables; before version 8 for all
     */
    record Lease(long wished, long forMicros, long countedFromNanos, long tables, Map<NodeId, Long> promised) {
        public static final Lease NONE = new Lease(TableStripes.NONE, 0, 0, TableStripes.NONE, Map.of());
    }

    /**
     * What the sender can say of the tables it has enabled; sent when that changes, when a stream is asked for, and now
     * and then.
     *
     * @param askedIncarnation the life of the receiver whose {@link Subscribe} was the last that the sender had heard
     *     when it said this, 0 if none
     * @param askedNumber the number of that request
     */
    record Tables(long hlcMicros, long incarnation, long askedIncarnation, long askedNumber, List<TableReport> tables)
            implements Message {
        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /** Asks for the messages of a stream again, from {@code fromSeq} to {@code toSeq}, both included. */
    record ReRequest(long hlcMicros, StreamId stream, long fromSeq, long toSeq) implements Message {
        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /**
     * Tells a coordinator that its write was applied here, and when. Sent with the mutation's acknowledgement to who
     * does not hear it in status messages.
     */
    record WriteAck(long hlcMicros, PartitionKey key, long timestampMicros, long appliedMicros) implements Message {
        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /** A mutation again, for a replica that has not announced it (settling). Applied as any other. */
    record Settle(long hlcMicros, Update update) implements Message {
        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /** Asks a replica that announced a mutation for its content; answered by {@link Settle}. */
    record Fetch(long hlcMicros, PartitionKey key, MutationId id) implements Message {
        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /**
     * Asks whether all who hold know of the mutation ({@link Leases}), where the sender does not hear one of them
     * itself; answered by {@link Complete}, or not at all.
     */
    record WhetherComplete(long hlcMicros, PartitionKey key, MutationId id) implements Message {
        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /** All who hold know of the mutation. */
    record Complete(long hlcMicros, PartitionKey key, MutationId id) implements Message {
        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /**
     * Tells a node that still keeps these mutations that they are done with: at {@code byMicros} or before, all
     * replicas had applied them, or later mutations of the same cells.
     */
    record Retired(long hlcMicros, List<RetiredMutation> mutations, long byMicros) implements Message {
        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    record RetiredMutation(PartitionKey key, MutationId id) {
        // By hand: the generated ones are slower until they are inlined, and each mutation is looked up by several
        // messages.
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other
                    || (other instanceof RetiredMutation that && id.equals(that.id) && key.equals(that.key));
        }

        @Override
        public int hashCode() {
            return 31 * key.hashCode() + id.hashCode();
        }
    }

    /** Asks for a status message now (the ladder's rung <em>pull</em>). */
    record Pull(long hlcMicros) implements Message {
        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /**
     * Refuses a {@link Subscribe}, or a {@link Returning} under a promise that does not stand any more: the sender has
     * retired mutations that the asker may lack. A repair alone brings these.
     */
    record Stale(long hlcMicros, long incarnation) implements Message {
        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /**
     * A node that was left behind comes back: asks to be waited for again; answered by {@link Awaited}.
     *
     * @param incarnation of the sender
     * @param number of the attempt, larger than that of every earlier one of this incarnation
     * @param filledMicros 0, or the {@link Awaited#awaitedMicros} that it was told: since then the sender has got all
     *     that the receiver holds
     */
    record Returning(long hlcMicros, long incarnation, long number, long filledMicros) implements Message {
        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /**
     * From now on nothing is retired without the node that asked, in this life of its.
     *
     * @param incarnation as in the request
     * @param number as in the request
     * @param awaitedMicros names the moment: the sender's clock at it. As long as the same is told nothing was retired
     *     without the node in between
     * @param admitted whether the node is not left behind any more
     */
    record Awaited(long hlcMicros, long incarnation, long number, long awaitedMicros, boolean admitted)
            implements Message {
        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /**
     * The state of an enabled table at a node.
     *
     * @param sinceMicros from this hybrid clock value on the node announces every mutation of the table
     * @param baseline whether what the node held before is known to be what the others hold: the table was empty, or an
     *     operator confirmed a repair
     * @param left whether the node goes by another name of the table now, and takes mutations that it does not tell of
     *     under this one
     * @param repaired whether the node has its baseline, or has repaired what it holds after all had enabled the table;
     *     releases before version 5 do not say so
     * @param carried whether what the node had in flight under the table's earlier name is visible under this one, and
     *     in the stores of as many; since version 6
     * @param storedMicros what the node has stamped of the table up to here is in its store; 0 where it does not say:
     *     only of tables that have moved and are not served yet, and since version 6
     * @param held whether the node begins anew after a move, and others that it knows of may still serve the table
     *     under an earlier name, or count on what it promised under that; since version 8
     */
    record TableReport(
            UUID table,
            long sinceMicros,
            boolean baseline,
            boolean left,
            boolean repaired,
            boolean carried,
            long storedMicros,
            boolean held) {}
}
