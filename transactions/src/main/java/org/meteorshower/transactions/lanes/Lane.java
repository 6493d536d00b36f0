/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.List;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.port.Turn;

/** One lane at this data centre: acceptor, learner and, at times, leader. Brings the lane's messages to them. */
public final class Lane {
    private final int number;
    private final Members members;
    private final Turn turn;
    private final Generations generations;
    private final LaneLog log;
    private final Durability durability;
    private final Settlement settlement;
    private final Acceptor acceptor;
    private final LaneLeader leader;
    private final Revocation revocation;
    private final Suspicion suspicion;
    private final LaneRoom room;
    private static final long NONE = -1;

    /** While a process begins: a position of which the log holds that it was learned. */
    private long learnedAlready = NONE;

    private boolean leadershipIsNew;

    /** @param recovery what the last process left */
    public Lane(
            int number,
            Members members,
            Settings settings,
            Turn turn,
            Durability durability,
            Generations generations,
            BooleanSupplier remembers,
            Recovery recovery,
            LaneLog.Listener listener) {
        AcceptorState state = recovery.acceptors().get(number);
        long start = recovery.settled().get(number);
        this.number = number;
        this.members = members;
        this.turn = turn;
        this.durability = durability;
        this.generations = generations;
        Courier courier = new LaneCourier(members, turn, this);
        this.settlement = new Settlement(number, durability, start);
        this.log = new LaneLog(number, members, start, (lane, position, entry) -> {
            decided(position, entry);
            listener.decided(lane, position, entry);
        });
        this.acceptor = new Acceptor(number, durability, generations, remembers, courier, this::isDurable, state);
        recovery.learned().get(number).forEach(acceptor::recall);
        acceptor.letGo(start);
        this.leader = new LaneLeader(number, members, turn, courier, log, generations, settings.phase1Micros());
        this.room = new LaneRoom(settings.budget().laneBytes() / members.count(), log, settlement, leader);
        this.revocation = new Revocation(number, members, courier, acceptor, generations, new Revoked());
        this.suspicion = new Suspicion(settings.suspicionFloorMicros());
        leader.seen(acceptor.promised());
        recall(state);
        for (AcceptedEntry learned : recovery.learned().get(number)) {
            learnedAlready = learned.position();
            log.learn(learned.position(), learned.entry());
            settlement.settled(learned.position());
        }
        learnedAlready = NONE;
    }

    private void recall(AcceptorState state) {
        for (AcceptedEntry accepted : state.accepted()) {
            log.proposed(accepted.ballot(), accepted.position(), accepted.entry());
            // What is below the promise may have come to the disk after it, from a process that had been replaced: then
            // whoever was promised was not told of that vote, and it must not help to decide.
            if (accepted.ballot() >= acceptor.promised()) {
                log.accepted(members.self(), accepted.ballot(), accepted.position());
            }
        }
    }

    /** A vote of this data centre is durable. */
    private void isDurable(long position, Entry entry) {
        Entry decided = log.decided(position);
        if (decided != null && decided.origin() == entry.origin() && holdsIt(position, entry)) {
            settlement.settled(position);
        }
    }

    /**
     * Whether the vote of this data centre, once durable, is what the log will always hold there. A vote of a higher
     * ballot would be written over it: of this process, or of one that was replaced and whose writes come late. Above a
     * ballot under which a majority has accepted the entry, all votes are for it; below it they may not be.
     */
    private boolean holdsIt(long position, Entry entry) {
        long chosen = log.chosenUnder(position);
        return chosen != Ballot.NONE && acceptor.acceptedUnder(position, entry) >= chosen;
    }

    public int number() {
        return number;
    }

    public LaneLog log() {
        return log;
    }

    public boolean isLed() {
        return leader.isLeading();
    }

    /** Whether it leads under just this ballot. */
    public boolean isLedUnder(long ballot) {
        return leader.isLeading() && leader.ballot() == ballot;
    }

    /** Whether it leads under just this ballot, or tries to. */
    public boolean mayLeadUnder(long ballot) {
        return leader.mayLeadUnder(ballot);
    }

    /** Whether this process once tried to lead, or led, under this ballot, and never will again; and no other has. */
    public boolean hasGivenUp(long ballot) {
        return leader.hasGivenUp(ballot);
    }

    /** Whether no other process of this data centre has led under this ballot, or will. */
    public boolean owns(long ballot) {
        return leader.owns(ballot);
    }

    /** The highest ballot that this data centre has heard of: who leads elsewhere leads under it. */
    public long highestBallot() {
        return leader.highestSeen();
    }

    /** Which other data centre seems to lead the lane; -1 where none does. */
    public int leaderElsewhere() {
        long ballot = leader.highestSeen();
        boolean isKnown = leader.isFollowing()
                && ballot != Ballot.NONE
                && Ballot.proposer(ballot) != members.self()
                && suspicion.isAdvancing(turn.micros());
        return isKnown ? Ballot.proposer(ballot) : -1;
    }

    /** Whether this data centre has begun to lead since this was last asked. */
    public boolean takeNewLeadership() {
        boolean news = leadershipIsNew && leader.isLeading();
        leadershipIsNew = false;
        return news;
    }

    /** How many positions are proposed and not decided. */
    public int undecided() {
        return leader.undecided();
    }

    /** An entry to be proposed. */
    public Entry newEntry(long epoch, List<Submission> submissions) {
        return new Entry(epoch, leader.ballot(), submissions);
    }

    /** Where the next entry will stand. Only while this data centre leads the lane. */
    public long nextPosition() {
        return leader.nextPosition();
    }

    /** The highest epoch that is known to be closed in the lane, or was proposed here, since the process began. */
    public long closedEpoch() {
        return Math.max(log.decidedEpoch(), leader.closedEpoch());
    }

    /** Only while this data centre leads the lane. */
    public void propose(Entry entry) {
        leader.propose(entry);
    }

    public void received(int from, Message.Prepare prepare) {
        leader.seen(prepare.ballot());
        suspicion.attempted(turn.micros());
        acceptor.prepare(from, prepare);
    }

    public void received(int from, Message.Promised promised) {
        generations.learn(promised.generations());
        leadershipIsNew |= leader.promised(from, promised);
    }

    public void received(Message.Outbid outbid) {
        leader.seen(outbid.promised());
    }

    /**
     * Begins to pass over who leads the lane, together with the others of a quorum.
     *
     * @param heir who is to lead it
     * @param from all below is decided, as all of them have told
     * @param horizon the epoch up to which the lane is to be closed
     */
    void revoke(int heir, int quorum, long from, long horizon) {
        long ballot = Ballot.ofRevocationAbove(leader.highestSeen(), generations.of(heir), heir);
        if (revocation.begin(ballot, quorum, log.decidedFrom(from), horizon)) {
            promisedWithOthers(ballot);
        }
    }

    public void received(int from, Message.Revoke revoke) {
        leader.seen(revoke.ballot());
        generations.learn(revoke.generations());
        if (revoke.generations().get(from) >= generations.of(from)
                && revocation.received(
                        from, revoke, log.decidedFrom(revoke.state().floor()))) {
            promisedWithOthers(revoke.ballot());
        }
    }

    private void promisedWithOthers(long ballot) {
        suspicion.attempted(turn.micros());
        if (Ballot.proposer(ballot) == members.self() && ballot >= leader.highestSeen()) {
            leader.inherit(ballot);
        } else {
            leader.seen(ballot);
        }
    }

    public void received(int from, Message.Propose propose) {
        leader.seen(propose.ballot());
        if (room.hasFor(propose.position()) && isOpen(propose.position(), propose.entry())) {
            acceptor.propose(from, propose);
            log.proposed(propose.ballot(), propose.position(), propose.entry());
        }
        log.decidedBelow(propose.ballot(), propose.decidedBelow());
        suspicion.proposed(propose.position(), turn.micros());
        suspicion.seen(propose.decidedBelow(), turn.micros());
    }

    public void received(int from, Message.Accepted accepted) {
        leader.seen(accepted.ballot());
        generations.learn(accepted.generations());
        if (accepted.generations().get(from) >= generations.of(from) && room.hasFor(accepted.position())) {
            log.accepted(from, accepted.ballot(), accepted.position());
        }
    }

    /**
     * Whether the position may be decided with this entry, as far as is known. A proposal that lost can come late, and
     * its ballot may be above that of the vote here: that vote, once settled, is what the next process reads as
     * decided, so it must not be written over. What memory has let go of is settled.
     */
    private boolean isOpen(long position, Entry entry) {
        Entry decided = log.decided(position);
        return position >= log.start() && (decided == null || decided.origin() == entry.origin());
    }

    /** Some message has told that a data centre's disk was lost. */
    public void diskLost(int dc) {
        log.forgetVotesOf(dc);
        leader.forgetPromiseOf(dc);
        revocation.forgetPromiseOf(dc);
    }

    /** Decided entries from who knows. */
    public void learn(long from, List<Entry> entries) {
        for (int i = 0; i < entries.size(); i++) {
            log.learn(from + i, entries.get(i));
        }
    }

    /**
     * A snapshot covers everything below the position. What the log has there may be votes that lost: nobody is to read
     * it.
     */
    public void skipTo(long position) {
        leader.skipTo(position);
        log.skipTo(position);
        settlement.skipTo(position);
        acceptor.letGo(log.start());
    }

    private void decided(long position, Entry entry) {
        if (position != learnedAlready) {
            if (!holdsIt(position, entry)) {
                durability.write(new Durable.Learned(number, position, entry), () -> settlement.settled(position));
            } else if (acceptor.isDurable(position)) {
                settlement.settled(position);
            }
        }
        leader.decided(position, entry);
        suspicion.seen(log.decidedBelow(), turn.micros());
    }

    /** To who lacks what this data centre has proposed there, if that is not decided yet. */
    public void proposeAgain(int to, long position) {
        leader.proposeAgain(to, position);
    }

    public void tick() {
        leader.tick();
    }

    /** All positions below are decided, and on this disk. */
    public long settledBelow() {
        return settlement.below();
    }

    /** Makes it known to the next process how far the lane is settled. */
    public void noteSettled() {
        settlement.note();
    }

    /**
     * Lets go of memory what is settled and not needed soon.
     *
     * @param executedBelow positions below are executed
     */
    public void letGo(long executedBelow) {
        room.letGo(executedBelow);
        acceptor.letGo(log.start());
    }

    /** Whether more decided entries can be taken in. */
    public boolean hasRoomToLearn() {
        return room.hasToLearn();
    }

    /** Whether so much is proposed and not decided that nothing more should be. */
    public boolean isFull() {
        return room.isFull();
    }

    /** Somebody knows the lane to be decided below this position. */
    public void heardOf(long decidedBelow) {
        suspicion.seen(decidedBelow, turn.micros());
    }

    /** The furthest that the lane is known to be decided anywhere. */
    public long furthestDecided() {
        return Math.max(suspicion.best(), log.decidedBelow());
    }

    Suspicion suspicion() {
        return suspicion;
    }

    LaneLeader leader() {
        return leader;
    }

    /** What this acceptor knows, for a data centre whose disk was lost. */
    public AcceptorState acceptorState() {
        return acceptor.stateFrom(0);
    }

    /** What others know of this acceptor's votes, after its disk was lost. Durable with the next batch. */
    public void restore(AcceptorState state) {
        acceptor.restore(state);
        acceptor.bar(state.floor());
        leader.seen(acceptor.promised());
    }

    /** Positions below it are not in the log on this disk. */
    public long floor() {
        return acceptor.floor();
    }

    /** Nothing below is needed any more, here or by any data centre that counts. */
    public void truncate(long below) {
        acceptor.truncate(below);
    }

    private final class Revoked implements Revocation.Listener {
        @Override
        public void promised(long ballot) {
            if (Ballot.proposer(ballot) == members.self()) {
                leader.promisedToItself(ballot);
            }
        }

        /** Accepts what is to be proposed, without being asked. */
        @Override
        public void revoked(long ballot, SortedMap<Long, Entry> values) {
            leadershipIsNew |= leader.revoked(ballot, values);
            values.forEach((position, entry) ->
                    received(Ballot.proposer(ballot), new Message.Propose(number, ballot, position, entry, 0)));
        }
    }
}
