/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;

/**
 * Passing over a lane's leader in one round trip, as this data centre takes part in it. Each member of a quorum that is
 * named beforehand promises the same ballot and tells all the others at once what it has accepted. Who has the promises
 * of all of them knows, without being asked, what the one that is to lead under the ballot (the heir) will propose: it
 * accepts that.
 *
 * <p>Assumed: no data centre tells two promises under one ballot, in this life or another; so at most one quorum
 * promises it, and what is computed of that is one thing. Guaranteed: under such a ballot nothing else is accepted
 * where a promise told of something, nor at the first position after that.
 */
final class Revocation {
    private final int lane;
    private final Members members;
    private final Courier courier;
    private final Acceptor acceptor;
    private final Generations generations;
    private final Listener listener;

    /** The last one that this data centre has promised; of this life. */
    private long ballot = Ballot.NONE;

    /** The bits of its members; 0 where nothing is waited for. */
    private int quorum;

    /** Of the quorum, first and only words. */
    private final Map<Integer, Message.Revoke> promises = new TreeMap<>();

    /** Hears what the promises come to. */
    interface Listener {
        /** This data centre's own promise is durable. */
        void promised(long ballot);

        /**
         * @param values by position, without a hole: what may be accepted under the ballot up to the last of them, and
         *     nothing else
         */
        void revoked(long ballot, SortedMap<Long, Entry> values);
    }

    Revocation(
            int lane, Members members, Courier courier, Acceptor acceptor, Generations generations, Listener listener) {
        this.lane = lane;
        this.members = members;
        this.courier = courier;
        this.acceptor = acceptor;
        this.generations = generations;
        this.listener = listener;
    }

    /**
     * Promises, and tells the quorum when that is durable. Returns false where it cannot.
     *
     * @param named the bits of a majority of the data centres, with this one and the heir
     * @param from all below is decided, as far as is known here
     * @param horizon the epoch up to which the lane is to be closed
     */
    boolean begin(long anew, int named, long from, long horizon) {
        boolean promised = isOfThisDisk(anew)
                && isQuorum(named, Ballot.proposer(anew))
                && acceptor.promiseOnce(anew, from, state -> promised(anew, horizon, atLeast(from, state)));
        if (promised) {
            ballot = anew;
            quorum = named;
            promises.clear();
        }
        return promised;
    }

    /** Below where it was asked it tells nothing. */
    private static AcceptorState atLeast(long from, AcceptorState state) {
        return new AcceptorState(state.promised(), Math.max(from, state.floor()), state.accepted());
    }

    private boolean isQuorum(int bits, int heir) {
        return Integer.bitCount(bits) >= members.majority()
                && isIn(bits, members.self())
                && isIn(bits, heir)
                && bits >> members.count() == 0;
    }

    /** Nobody else knows for certain which generation the heir's disk is of. */
    private boolean isOfThisDisk(long anew) {
        return Ballot.proposer(anew) != members.self() || Ballot.generation(anew) == generations.of(members.self());
    }

    static boolean isIn(int bits, int dc) {
        return (bits >> dc & 1) == 1;
    }

    private void promised(long under, long horizon, AcceptorState state) {
        listener.promised(under);
        if (under != ballot || quorum == 0) {
            return;
        }
        Message.Revoke mine = new Message.Revoke(lane, ballot, quorum, horizon, generations.all(), state);
        for (int dc = 0; dc < members.count(); dc++) {
            if (dc != members.self() && isIn(quorum, dc)) {
                courier.tellTwice(dc, mine);
            }
        }
        promises.put(members.self(), mine);
        look();
    }

    /** Returns whether this data centre has promised because of it. */
    boolean received(int from, Message.Revoke theirs, long ownFrom) {
        boolean joins = theirs.ballot() > ballot
                && isIn(theirs.quorum(), from)
                && begin(theirs.ballot(), theirs.quorum(), ownFrom, theirs.horizon());
        if (theirs.ballot() < acceptor.promised()) {
            courier.tell(from, new Message.Outbid(lane, acceptor.promised()));
        } else if (theirs.ballot() == ballot && isSame(theirs) && isIn(quorum, from)) {
            promises.putIfAbsent(from, theirs);
            look();
        }
        return joins;
    }

    /** Of another quorum nobody has all promises: one that is in both has told only one of them. */
    private boolean isSame(Message.Revoke theirs) {
        return theirs.quorum() == quorum;
    }

    /** A disk was lost, and with it what it had promised. */
    void forgetPromiseOf(int dc) {
        promises.remove(dc);
    }

    private void look() {
        if (quorum != 0 && promises.size() == Integer.bitCount(quorum)) {
            SortedMap<Long, Entry> values = values(ballot, List.copyOf(promises.values()));
            quorum = 0;
            promises.clear();
            listener.revoked(ballot, values);
        }
    }

    /** A function of the promises and of nothing else: each member of the quorum computes the same. */
    private static SortedMap<Long, Entry> values(long ballot, List<Message.Revoke> promises) {
        long first = 0;
        long horizon = 0;
        for (Message.Revoke promise : promises) {
            first = Math.max(first, promise.state().floor());
            horizon = Math.max(horizon, promise.horizon());
        }
        TreeMap<Long, AcceptedEntry> reported = new TreeMap<>();
        for (Message.Revoke promise : promises) {
            for (AcceptedEntry entry : promise.state().accepted()) {
                if (entry.position() >= first) {
                    reported.merge(entry.position(), entry, Revocation::higher);
                }
            }
        }
        long end = reported.isEmpty() ? first : reported.lastKey() + 1;
        TreeMap<Long, Entry> values = new TreeMap<>();
        for (long position = first; position < end; position++) {
            AcceptedEntry entry = reported.get(position);
            values.put(position, entry == null ? Entry.FILLER : entry.entry());
        }
        values.put(end, new Entry(horizon, ballot, List.of()));
        return values;
    }

    private static AcceptedEntry higher(AcceptedEntry a, AcceptedEntry b) {
        return a.ballot() >= b.ballot() ? a : b;
    }
}
