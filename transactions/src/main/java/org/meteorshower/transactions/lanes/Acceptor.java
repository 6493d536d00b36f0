/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Message;

/**
 * This data centre's vote in one lane. It answers only what is durable, and only while its disk remembers its earlier
 * votes.
 */
final class Acceptor {
    private final int lane;
    private final Durability durability;
    private final Generations generations;
    private final BooleanSupplier remembers;
    private final Courier courier;
    private final Settled settled;

    /** Hears of each vote that is durable. */
    interface Settled {
        void durable(long position, Entry entry);
    }

    /** No ballot below it is accepted any more. */
    private long promised;

    /** Below it there are no votes, and none are given. */
    private long floor;

    /** Below it votes are on disk, and what was decided is settled. */
    private long start;

    private final TreeMap<Long, AcceptedEntry> accepted = new TreeMap<>();

    /** Positions below it that are not among these are durable. */
    private final TreeMap<Long, Long> notYetDurable = new TreeMap<>();

    /** @param remembers whether the disk holds every earlier vote: false until a lost one has been made good */
    Acceptor(
            int lane,
            Durability durability,
            Generations generations,
            BooleanSupplier remembers,
            Courier courier,
            Settled settled,
            AcceptorState state) {
        this.lane = lane;
        this.durability = durability;
        this.generations = generations;
        this.remembers = remembers;
        this.courier = courier;
        this.settled = settled;
        restore(state);
    }

    /** Takes over what the store, or other data centres, know of its votes. */
    void restore(AcceptorState state) {
        promised = Math.max(promised, state.promised());
        floor = Math.max(floor, state.floor());
        for (AcceptedEntry entry : state.accepted()) {
            accepted.merge(entry.position(), entry, (a, b) -> a.ballot() >= b.ballot() ? a : b);
            promised = Math.max(promised, entry.ballot());
        }
    }

    /**
     * A vote of an earlier process, where the log on disk has what was decided in its place; no vote where its ballot
     * is none.
     */
    void recall(AcceptedEntry vote) {
        if (vote.ballot() != Ballot.NONE) {
            restore(new AcceptorState(Ballot.NONE, 0, List.of(vote)));
        }
    }

    long promised() {
        return promised;
    }

    long floor() {
        return floor;
    }

    void prepare(int from, Message.Prepare prepare) {
        if (!remembers.getAsBoolean()) {
            return;
        } else if (prepare.ballot() < promised) {
            courier.tell(from, new Message.Outbid(lane, promised));
            return;
        }
        promised = prepare.ballot();
        durability.write(new Durable.Promise(lane, promised), () -> {
            if (promised == prepare.ballot()) {
                courier.tell(from, new Message.Promised(lane, promised, generations.all(), stateFrom(prepare.from())));
            }
        });
    }

    /**
     * Promises a ballot of a revocation, to be told to all of a quorum. Of such a ballot others compute what is
     * accepted under it: so never twice, in this life or another, since that might tell of something else. Nobody asks
     * for it alone: whose ballot it is promises it, too, and never leads by asking from there on.
     *
     * @param durable hears what it has accepted from the position on
     * @return false where it has promised that ballot, or a higher one
     */
    boolean promiseOnce(long ballot, long from, Consumer<AcceptorState> durable) {
        if (!remembers.getAsBoolean() || ballot <= promised) {
            return false;
        }
        promised = ballot;
        durability.write(new Durable.Promise(lane, ballot), () -> {
            if (promised == ballot) {
                durable.accept(stateFrom(from));
            }
        });
        return true;
    }

    void propose(int from, Message.Propose propose) {
        long ballot = propose.ballot();
        long position = propose.position();
        if (!remembers.getAsBoolean() || position < floor) {
            return;
        } else if (ballot < promised) {
            courier.tell(from, new Message.Outbid(lane, promised));
            return;
        }
        AcceptedEntry before = accepted.get(position);
        if (before != null && before.ballot() == ballot) {
            if (!notYetDurable.containsKey(position)) {
                courier.tell(from, new Message.Accepted(lane, ballot, position, generations.all()));
            }
            return;
        }
        promised = ballot;
        accepted.put(position, new AcceptedEntry(position, ballot, propose.entry()));
        notYetDurable.put(position, ballot);
        durability.write(new Durable.Accept(lane, position, ballot, propose.entry()), () -> {
            notYetDurable.remove(position, ballot);
            settled.durable(position, propose.entry());
            courier.tellAll(new Message.Accepted(lane, ballot, position, generations.all()));
        });
    }

    /**
     * The ballot of the vote for the position, where that was for this entry, durable or not yet; else
     * {@link Ballot#NONE}.
     */
    long acceptedUnder(long position, Entry entry) {
        AcceptedEntry vote = accepted.get(position);
        return vote != null && vote.entry().origin() == entry.origin() ? vote.ballot() : Ballot.NONE;
    }

    boolean isDurable(long position) {
        return !notYetDurable.containsKey(position);
    }

    /** Nobody needs what is below, on disk or elsewhere. */
    void truncate(long below) {
        if (below > floor) {
            floor = below;
            accepted.headMap(below).clear();
            durability.write(new Durable.Truncate(lane, below), () -> {});
        }
    }

    /** No vote is to be given below, durably: of what was voted there nothing is known any more. */
    void bar(long below) {
        floor = Math.max(floor, below);
        durability.write(new Durable.Barred(lane, below), () -> {});
    }

    /** What is below is settled, and need not be held in memory. */
    void letGo(long below) {
        start = Math.max(start, below);
        accepted.headMap(start).clear();
    }

    /**
     * What it has in memory from the position on. Who needs more is told by the floor that it has to catch up first.
     */
    AcceptorState stateFrom(long from) {
        List<AcceptedEntry> entries = new ArrayList<>(accepted.tailMap(from).values());
        return new AcceptorState(promised, Math.max(floor, start), entries);
    }
}
