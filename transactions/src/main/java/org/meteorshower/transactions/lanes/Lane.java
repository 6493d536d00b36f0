/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import java.util.List;
import java.util.function.BooleanSupplier;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.port.Turn;

/** One lane at this data centre: acceptor, learner and, at times, leader. Brings the lane's messages to them. */
public final class Lane implements Courier {
    private final int number;
    private final Members members;
    private final Turn turn;
    private final Generations generations;
    private final LaneLog log;
    private final Acceptor acceptor;
    private final LaneLeader leader;
    private final Suspicion suspicion;
    private boolean leadershipIsNew;

    public Lane(
            int number,
            Members members,
            Settings settings,
            Turn turn,
            Durability durability,
            Generations generations,
            BooleanSupplier remembers,
            AcceptorState state,
            long start,
            LaneLog.Listener listener) {
        this.number = number;
        this.members = members;
        this.turn = turn;
        this.generations = generations;
        this.log = new LaneLog(number, members, start, (lane, position, entry) -> {
            decided(position, entry);
            listener.decided(lane, position, entry);
        });
        this.acceptor = new Acceptor(number, durability, generations, remembers, this, state);
        this.leader = new LaneLeader(number, members, turn, this, log, generations, settings.phase1Micros());
        this.suspicion = new Suspicion(settings.suspicionFloorMicros());
        leader.seen(acceptor.promised());
        for (AcceptedEntry accepted : state.accepted()) {
            log.proposed(accepted.ballot(), accepted.position(), accepted.entry());
            log.accepted(members.self(), accepted.ballot(), accepted.position());
        }
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

    /** Whether this process once tried to lead, or led, under this ballot, and never will again. */
    public boolean hasGivenUp(long ballot) {
        return leader.hasGivenUp(ballot);
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

    /** Only while this data centre leads the lane. */
    public void propose(Entry entry) {
        leader.propose(entry);
    }

    public void received(int from, Message message) {
        if (message instanceof Message.Prepare prepare) {
            leader.seen(prepare.ballot());
            suspicion.attempted(turn.micros());
            acceptor.prepare(from, prepare);
        } else if (message instanceof Message.Promised promised) {
            generations.learn(promised.generations());
            leadershipIsNew |= leader.promised(from, promised);
        } else if (message instanceof Message.Outbid outbid) {
            leader.seen(outbid.promised());
        } else if (message instanceof Message.Propose propose) {
            leader.seen(propose.ballot());
            log.proposed(propose.ballot(), propose.position(), propose.entry());
            acceptor.propose(from, propose);
            log.decidedBelow(propose.ballot(), propose.decidedBelow());
        } else if (message instanceof Message.Accepted accepted) {
            leader.seen(accepted.ballot());
            generations.learn(accepted.generations());
            if (accepted.generations().get(from) >= generations.of(from)) {
                log.accepted(from, accepted.ballot(), accepted.position());
            }
        }
    }

    /** Some message has told that a data centre's disk was lost. */
    public void diskLost(int dc) {
        log.forgetVotesOf(dc);
        leader.forgetPromiseOf(dc);
    }

    /** Decided entries from who knows. */
    public void learn(long from, List<Entry> entries) {
        for (int i = 0; i < entries.size(); i++) {
            log.learn(from + i, entries.get(i));
        }
    }

    /** A snapshot covers everything below the position. */
    public void skipTo(long position) {
        leader.skipTo(position);
        log.skipTo(position);
    }

    private void decided(long position, Entry entry) {
        leader.decided(position, entry);
        suspicion.seen(log.decidedBelow(), turn.micros());
    }

    public void tick() {
        leader.tick();
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

    /** What others know of this acceptor's votes, after its disk was lost. */
    public void restore(AcceptorState state) {
        acceptor.restore(state);
        leader.seen(acceptor.promised());
    }

    public long floor() {
        return acceptor.floor();
    }

    /** Nothing below is needed any more, here or by any data centre that counts. */
    public void truncate(long below) {
        acceptor.truncate(below);
        log.forget(below);
    }

    @Override
    public void tell(int to, Message message) {
        if (to == members.self()) {
            received(to, message);
        } else {
            turn.send(to, message);
        }
    }

    @Override
    public void tellAll(Message message) {
        turn.sendTwiceToOthers(message);
        received(members.self(), message);
    }
}
