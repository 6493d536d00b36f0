/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Submission;

/** What data centres tell each other. No order is assumed between messages; they may be lost, and come twice. */
public sealed interface Message {
    /** Of one that holds little. */
    long WEIGHT = 160;

    Kind kind();

    /**
     * Calls the handler's method for this kind.
     *
     * @param context passed on to it
     */
    <C> void handOver(Handler<C> to, C context);

    /** About how many bytes it takes on the heap. */
    long weight();

    /** To be asked by a switch without a default where no more than the kind matters. */
    enum Kind {
        PREPARE,
        PROMISED,
        OUTBID,
        REVOKE,
        PROPOSE,
        ACCEPTED,
        PROGRESS,
        FETCH,
        DECIDED,
        OFFER,
        ASK_PAGES,
        PAGE,
        FORWARD,
        FORWARD_REFUSED,
        REJOIN,
        REJOIN_ANSWER,
        REJOIN_REFUSED
    }

    /**
     * Does something with each kind of message. No method has a default: who handles messages says what it does with a
     * new kind.
     *
     * @param <C> what it needs to know beside the message, such as who sent it
     */
    interface Handler<C> {
        void on(Prepare prepare, C context);

        void on(Promised promised, C context);

        void on(Outbid outbid, C context);

        void on(Revoke revoke, C context);

        void on(Propose propose, C context);

        void on(Accepted accepted, C context);

        void on(Progress progress, C context);

        void on(Fetch fetch, C context);

        void on(Decided decided, C context);

        void on(Offer offer, C context);

        void on(AskPages ask, C context);

        void on(Page page, C context);

        void on(Forward forward, C context);

        void on(ForwardRefused refused, C context);

        void on(Rejoin rejoin, C context);

        void on(RejoinAnswer answer, C context);

        void on(RejoinRefused refused, C context);
    }

    /** One of the protocol by which a lane's entries are decided. */
    sealed interface OfLane extends Message {
        int lane();

        /** As for all messages, for who has to do with these alone. */
        <C> void handOver(OfLane.Handler<C> to, C context);

        /** Does something with each kind. */
        interface Handler<C> {
            void on(Prepare prepare, C context);

            void on(Promised promised, C context);

            void on(Outbid outbid, C context);

            void on(Revoke revoke, C context);

            void on(Propose propose, C context);

            void on(Accepted accepted, C context);
        }
    }

    /** One that holds little. */
    sealed interface Small extends Message {
        @Override
        default long weight() {
            return WEIGHT;
        }
    }

    /** Phase 1: asks for a promise, and for what was accepted from a position on. */
    record Prepare(int lane, long ballot, long from) implements Small, OfLane {
        @Override
        public Kind kind() {
            return Kind.PREPARE;
        }

        @Override
        public <C> void handOver(OfLane.Handler<C> to, C context) {
            to.on(this, context);
        }

        @Override
        public <C> void handOver(Message.Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /**
     * @param generations by data centre, of disks, as known to the sender: promises of lost disks do not count. The
     *     sender's own is among them
     * @param state what it has accepted from the position on that was asked for
     */
    record Promised(int lane, long ballot, List<Integer> generations, AcceptorState state) implements OfLane {
        public Promised {
            generations = List.copyOf(generations);
        }

        @Override
        public Kind kind() {
            return Kind.PROMISED;
        }

        @Override
        public <C> void handOver(OfLane.Handler<C> to, C context) {
            to.on(this, context);
        }

        @Override
        public <C> void handOver(Message.Handler<C> to, C context) {
            to.on(this, context);
        }

        @Override
        public long weight() {
            return WEIGHT + state.weight();
        }
    }

    /** The acceptor has promised a higher ballot. */
    record Outbid(int lane, long promised) implements Small, OfLane {
        @Override
        public Kind kind() {
            return Kind.OUTBID;
        }

        @Override
        public <C> void handOver(OfLane.Handler<C> to, C context) {
            to.on(this, context);
        }

        @Override
        public <C> void handOver(Message.Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /**
     * Told to all of a quorum: the sender promises the ballot, under which the lane's leader is passed over.
     *
     * @param quorum the bits of its members, of whom all must promise
     * @param horizon the epoch up to which the lane is to be closed
     * @param generations as for {@link Promised}
     * @param state what it has accepted; the floor is where that begins
     */
    record Revoke(int lane, long ballot, int quorum, long horizon, List<Integer> generations, AcceptorState state)
            implements OfLane {
        public Revoke {
            generations = List.copyOf(generations);
        }

        @Override
        public Kind kind() {
            return Kind.REVOKE;
        }

        @Override
        public <C> void handOver(OfLane.Handler<C> to, C context) {
            to.on(this, context);
        }

        @Override
        public <C> void handOver(Message.Handler<C> to, C context) {
            to.on(this, context);
        }

        @Override
        public long weight() {
            return WEIGHT + state.weight();
        }
    }

    /**
     * Phase 2.
     *
     * @param decidedBelow the proposer knows all positions below it to be decided
     */
    record Propose(int lane, long ballot, long position, Entry entry, long decidedBelow) implements OfLane {
        @Override
        public Kind kind() {
            return Kind.PROPOSE;
        }

        @Override
        public <C> void handOver(OfLane.Handler<C> to, C context) {
            to.on(this, context);
        }

        @Override
        public <C> void handOver(Message.Handler<C> to, C context) {
            to.on(this, context);
        }

        @Override
        public long weight() {
            return WEIGHT + entry.weight();
        }
    }

    /** Told to all: the sender has durably accepted what the ballot's proposer proposed for the position. */
    record Accepted(int lane, long ballot, long position, List<Integer> generations) implements Small, OfLane {
        public Accepted {
            generations = List.copyOf(generations);
        }

        @Override
        public Kind kind() {
            return Kind.ACCEPTED;
        }

        @Override
        public <C> void handOver(OfLane.Handler<C> to, C context) {
            to.on(this, context);
        }

        @Override
        public <C> void handOver(Message.Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /**
     * Told to all from time to time.
     *
     * @param clock readings
     * @param decided by lane, the first position not known to be decided
     * @param durable by lane, the first position not covered by the sender's last checkpoint that is done
     * @param count of merged entries that the sender has executed
     * @param auditCount the count at which {@code auditDigest} was taken
     * @param margin how late the receiver's lane was at the sender; null where nobody waited
     * @param revokes whether the sender understands {@link Revoke}
     */
    record Progress(
            ClockReading clock,
            List<Long> decided,
            List<Long> durable,
            long count,
            long auditCount,
            long auditDigest,
            @Nullable Margin margin,
            boolean revokes)
            implements Small {
        public Progress {
            decided = List.copyOf(decided);
            durable = List.copyOf(durable);
        }

        @Override
        public Kind kind() {
            return Kind.PROGRESS;
        }

        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /**
     * @param wallMicros the sender's wall clock
     * @param elapsedMicros the sender's other clock, to be sent back
     * @param echoMicros the receiver's other clock, as it came last; -1 where none did
     * @param heldMicros how long ago that was
     */
    record ClockReading(long wallMicros, long elapsedMicros, long echoMicros, long heldMicros) {}

    /**
     * @param epoch that somebody waited for
     * @param micros how much later the lane had closed it than the waiting entry was decided; negative where earlier
     */
    record Margin(long epoch, long micros) {}

    /** Asks for decided entries. */
    record Fetch(int lane, long from) implements Small {
        @Override
        public Kind kind() {
            return Kind.FETCH;
        }

        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /** Decided entries, from a position on. */
    record Decided(int lane, long from, List<Entry> entries) implements Message {
        public Decided {
            entries = List.copyOf(entries);
        }

        @Override
        public Kind kind() {
            return Kind.DECIDED;
        }

        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }

        @Override
        public long weight() {
            return WEIGHT + entries.stream().mapToLong(Entry::weight).sum();
        }
    }

    /** What was fetched is gone; the sender gives all rows as of this checkpoint, page by page, to who asks. */
    record Offer(Checkpoint checkpoint) implements Small {
        @Override
        public Kind kind() {
            return Kind.OFFER;
        }

        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /**
     * Asks for the next pages of a snapshot.
     *
     * @param count of its checkpoint
     * @param place after which to go on; the empty text for the beginning
     * @param pages at most so many
     */
    record AskPages(long count, String place, int pages) implements Small {
        @Override
        public Kind kind() {
            return Kind.ASK_PAGES;
        }

        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /**
     * A page of a snapshot.
     *
     * @param place the one asked for, or the one that the page before it named
     * @param bases of those rows that users had before any transaction wrote them, what they were: who does not know of
     *     it would forget in the end that such a row is absent
     * @param next the place after it; the empty text where there is nothing more
     */
    record Page(Checkpoint checkpoint, String place, Map<RowKey, StoredRow> rows, Map<RowKey, Row> bases, String next)
            implements Message {
        public Page {
            rows = Collections.unmodifiableMap(new LinkedHashMap<>(rows));
            bases = Collections.unmodifiableMap(new LinkedHashMap<>(bases));
        }

        @Override
        public Kind kind() {
            return Kind.PAGE;
        }

        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }

        @Override
        public long weight() {
            return WEIGHT + StoredRow.weight(rows) + StoredRow.basesWeight(bases);
        }
    }

    /**
     * What clients of the sender want to have in its lane, for who leads that. Whether it gets there is seen in the
     * lane.
     *
     * @param ballot under which the receiver is believed to lead; under another it takes nothing
     */
    record Forward(long ballot, List<Submission> submissions) implements Message {
        public Forward {
            submissions = List.copyOf(submissions);
        }

        @Override
        public Kind kind() {
            return Kind.FORWARD;
        }

        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }

        @Override
        public long weight() {
            return WEIGHT + submissions.stream().mapToLong(Submission::weight).sum();
        }
    }

    /**
     * Of what was forwarded: of these submissions nothing was proposed under the ballot, and nothing will be. They may
     * be asked for elsewhere.
     *
     * @param ballot the {@link Forward}'s
     */
    record ForwardRefused(long ballot, List<Long> tickets) implements Small {
        public ForwardRefused {
            tickets = List.copyOf(tickets);
        }

        @Override
        public Kind kind() {
            return Kind.FORWARD_REFUSED;
        }

        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /**
     * From a data centre whose disk is blank: it is to be known under this generation, and wants to know what it may
     * have known.
     */
    record Rejoin(int generation, long life) implements Small {
        @Override
        public Kind kind() {
            return Kind.REJOIN;
        }

        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }

    /**
     * From now on the sender counts nothing of older generations.
     *
     * @param acceptors by lane, what the sender has promised and accepted
     * @param generations by data centre, the highest that the sender knows; empty where it is of a release that does
     *     not tell
     */
    record RejoinAnswer(int generation, long life, List<AcceptorState> acceptors, List<Integer> generations)
            implements Message {
        public RejoinAnswer {
            acceptors = List.copyOf(acceptors);
            generations = List.copyOf(generations);
        }

        public RejoinAnswer withGenerations(List<Integer> told) {
            return new RejoinAnswer(generation, life, acceptors, told);
        }

        @Override
        public Kind kind() {
            return Kind.REJOIN_ANSWER;
        }

        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }

        @Override
        public long weight() {
            return WEIGHT + acceptors.stream().mapToLong(AcceptorState::weight).sum();
        }
    }

    /** The generation asked for is taken. */
    record RejoinRefused(int known, long life) implements Small {
        @Override
        public Kind kind() {
            return Kind.REJOIN_REFUSED;
        }

        @Override
        public <C> void handOver(Handler<C> to, C context) {
            to.on(this, context);
        }
    }
}
