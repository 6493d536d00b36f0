/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.chains.ChainServer;
import org.meteorshower.transactions.chains.ChangePieces;
import org.meteorshower.transactions.chains.ChangeStream;
import org.meteorshower.transactions.chains.RowMemory;
import org.meteorshower.transactions.clocks.Doze;
import org.meteorshower.transactions.clocks.EpochCloser;
import org.meteorshower.transactions.clocks.Lateness;
import org.meteorshower.transactions.clocks.Lead;
import org.meteorshower.transactions.clocks.PeerClocks;
import org.meteorshower.transactions.fronts.Bodies;
import org.meteorshower.transactions.lanes.Durability;
import org.meteorshower.transactions.lanes.Generations;
import org.meteorshower.transactions.lanes.Lane;
import org.meteorshower.transactions.lanes.Leadership;
import org.meteorshower.transactions.lanes.LogReads;
import org.meteorshower.transactions.lanes.Peers;
import org.meteorshower.transactions.lanes.Rejoining;
import org.meteorshower.transactions.lanes.Revoker;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.merge.Merged;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.Budget;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Observer;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.port.Turn;
import org.meteorshower.transactions.port.Usage;
import org.meteorshower.transactions.storage.AbsentRows;
import org.meteorshower.transactions.storage.Checkpoints;
import org.meteorshower.transactions.storage.EarlierEditions;
import org.meteorshower.transactions.storage.ExpiringRows;
import org.meteorshower.transactions.storage.SnapshotGiver;
import org.meteorshower.transactions.storage.SnapshotTaker;
import org.meteorshower.transactions.storage.TableWaits;

/** The parts of one data centre's core, how they are tied together, and what they tell each other. */
final class Parts {
    final Members members;
    final Settings settings;
    final Turn turn;
    final Durability durability;
    final List<Lane> lanes = new ArrayList<>();
    final Peers peers;
    final Rejoining rejoining;
    final Leadership leadership;
    final PeerClocks clocks;
    final Lead lead;
    final EpochCloser closer;
    final Waits waits;
    final Doze doze;
    final RowMemory memory;
    final ChangeStream changes;
    final ChangePieces changePieces;
    final LogReads logReads;
    final Execution execution;
    final ChainServer chains;
    final Admission admission;
    final Forms forms;
    final Submissions submissions;
    final SessionKeeper sessions;
    final Forwarded forwarded;
    final Checkpoints checkpoints;
    final AbsentRows absent;
    final EarlierEditions earlier;
    final TableWaits tableWaits;
    final ExpiringRows expiring;
    final SnapshotGiver giver;
    final SnapshotTaker taker;
    final CatchUp catchUp;
    final Truncation truncation;
    final Audit audit;
    final @Nullable Observer observer;

    /** False while the parts are made. A single data centre's votes decide already then, of what its disk holds. */
    private final boolean made;

    /** @param observer null where nobody looks on */
    Parts(Members members, Settings settings, Recovery recovery, Bodies bodies, @Nullable Observer observer) {
        this.members = members;
        this.observer = observer;
        this.settings = settings;
        Checkpoint start = recovery.checkpoint();
        long life = recovery.life();
        turn = new Turn(members);
        durability = new Durability(turn, life);
        peers = new Peers(members);
        Generations generations =
                new Generations(recovery.generations(), dc -> lanes.forEach(lane -> lane.diskLost(dc)));
        rejoining = new Rejoining(
                members, turn, durability, generations, lanes, life, recovery.livesByDc(), recovery.generation() == 0);
        for (int lane = 0; lane < members.count(); lane++) {
            lanes.add(new Lane(
                    lane,
                    members,
                    settings,
                    turn,
                    durability,
                    generations,
                    rejoining::remembers,
                    recovery,
                    this::decided));
        }
        clocks = new PeerClocks(members, turn, settings.clockToleranceMicros());
        lead = new Lead(turn, members.count(), settings.epochMicros());
        closer = new EpochCloser(
                turn,
                clocks,
                lead,
                settings.epochMicros(),
                settings.clockToleranceMicros(),
                highestEpoch(recovery, start));
        waits = new Waits(members.self(), lanes, lead, new Lateness(members, turn));
        doze = new Doze(turn, settings.dozeMicros());
        Budget budget = settings.budget();
        changes = new ChangeStream(settings.keepsChanges() ? budget.changeBytes() : 0, start.count());
        long rowBytes = settings.keepsChanges() ? budget.rowBytes() - budget.changeBytes() : budget.rowBytes();
        memory = new RowMemory(turn::emit, settings.mostRows(), rowBytes, recovery.edition(), start.count());
        logReads = new LogReads(turn, budget.pageBytes());
        audit = new Audit(turn);
        execution = new Execution(
                turn,
                settings,
                lanes,
                bodies,
                closer,
                logReads,
                memory,
                changes,
                audit,
                start,
                this::executed,
                observer);
        chains = execution.chains();
        changePieces = new ChangePieces(turn, changes, settings.checkpointMicros() / 2, start.count());
        expiring = new ExpiringRows(turn, clocks::alignedMicros, this::edition, memory, new Ends());
        checkpoints = new Checkpoints(
                turn,
                durability,
                memory,
                changePieces,
                expiring,
                settings.checkpointMicros(),
                budget.cutBytes(),
                this::oldestPinned,
                this::isSettled,
                this::isUrgent,
                start,
                recovery.edition());
        absent = new AbsentRows(turn, checkpoints, memory, 2 * settings.checkpointMicros(), budget.pageBytes());
        earlier = new EarlierEditions(turn);
        tableWaits = new TableWaits(turn, checkpoints, earlier);
        giver = new SnapshotGiver(turn, checkpoints, this::isReached, budget.pageBytes());
        taker = new SnapshotTaker(
                turn,
                durability,
                new Installed(),
                expiring::lookedAtBelow,
                recovery.edition(),
                recovery.newestEdition(),
                recovery.installing());
        admission = new Admission(members, budget, turn, peers, lanes, checkpoints);
        forms = new Forms(bodies);
        submissions = new Submissions(
                turn, settings, admission, lanes.get(members.self()), forms, memory, this::roomMicros, life);
        sessions = new SessionKeeper(members, settings, turn, submissions);
        forwarded = new Forwarded(
                members.count(),
                settings.mostQueued(),
                budget.forwardedBytes(members.count()),
                turn,
                Forwarded.Ballots.of(lanes));
        catchUp = new CatchUp(members, turn, peers, lanes, logReads, giver, taker);
        truncation = new Truncation(members, settings, turn, peers, lanes, checkpoints, giver, recovery.logBytes());
        leadership = new Leadership(
                members,
                settings,
                turn,
                peers,
                lanes,
                () -> rejoining.remembers() && taker.isUsable(),
                doze::isDozing,
                new Ways());
        made = true;
    }

    private static long highestEpoch(Recovery recovery, Checkpoint start) {
        long highest = start.epochs().stream().mapToLong(Long::longValue).max().orElse(0);
        return Math.max(
                highest,
                recovery.acceptors().stream()
                        .flatMap(acceptor -> acceptor.accepted().stream())
                        .map(AcceptedEntry::entry)
                        .mapToLong(Entry::epoch)
                        .max()
                        .orElse(0));
    }

    /**
     * An entry stands in some lane. What only closes a lane ahead, where its leader was passed over, says nothing of
     * anybody's clock.
     */
    void seen(Entry entry) {
        if (!entry.submissions().isEmpty() || !Ballot.isOfRevocation(entry.origin())) {
            closer.seen(entry.epoch());
        }
    }

    /** Begins to read the rows of what is on its way. */
    void prefetch(List<Submission> submissions) {
        if (taker.isUsable()) {
            execution.prefetch(submissions);
        }
    }

    /** Whoever dozes is needed where somebody asks for something. */
    void noteNeed(Entry entry) {
        if (!entry.submissions().isEmpty()) {
            doze.needed();
        }
    }

    private void decided(int lane, long position, Entry entry) {
        if (!made) {
            return;
        }
        seen(entry);
        noteNeed(entry);
        if (lane == members.self()) {
            submissions.decided(position, entry);
        } else {
            forwarded.decided(lane, position, entry);
        }
    }

    private void executed(Merged merged, int index, Submission submission, Outcome outcome) {
        if (merged.lane() == members.self()) {
            submissions.executed(submission.ticket(), outcome, merged.number() + 1);
        }
        sessions.executed(merged, index, submission.request());
        expiring.executed(submission.request());
    }

    private int edition() {
        return checkpoints.edition();
    }

    /** So many other data centres should propose first what the clock brings: those before this one that are heard. */
    int heardBefore() {
        int heard = 0;
        for (int dc = 0; dc < members.self(); dc++) {
            heard += peers.isHeard(dc, Catenae.HEARD_WITHIN_MICROS, turn.micros()) ? 1 : 0;
        }
        return heard;
    }

    /** What all of them hold. */
    Usage usage() {
        long inLanes = execution.backlogBytes();
        for (Lane lane : lanes) {
            inLanes += lane.log().weight();
        }
        return new Usage(
                inLanes,
                memory.bytes() + changes.bytes(),
                submissions.bytes() + forwarded.bytes() + execution.reads().bytes(),
                admission.lagBytes(members.self()),
                truncation.logBytes());
    }

    /** The end of values is proposed as what clients ask for is. */
    private final class Ends implements ExpiringRows.Proposer {
        @Override
        public void propose(Request.ExpireRows request) {
            submissions.submit(request);
        }

        @Override
        public boolean holds(Request.ExpireRows request) {
            return submissions.holds(request);
        }
    }

    private long oldestPinned() {
        return giver.oldestPinned();
    }

    /** Whether the log goes back to a checkpoint. */
    private boolean isReached(Checkpoint checkpoint) {
        return lanes.stream()
                .allMatch(lane -> lane.floor() <= checkpoint.positions().get(lane.number()));
    }

    /** Before clients are slowed because of it, or for those who wait. */
    private boolean isUrgent() {
        return admission.lagBytes(members.self()) > settings.budget().slowBytes() / 2
                || chains.isFull()
                || tableWaits.areFor(chains.count());
    }

    /** How far execution is behind what is proposed here, where it waits for room; 0 where it does not. */
    private long roomMicros() {
        int self = members.self();
        return chains.isFull()
                ? (lanes.get(self).closedEpoch() - chains.checkpoint().epochs().get(self)) * settings.epochMicros()
                : 0;
    }

    private boolean isSettled(Checkpoint checkpoint) {
        return lanes.stream()
                .allMatch(lane -> lane.settledBelow() >= checkpoint.positions().get(lane.number()));
    }

    /** What leadership is to know of time. */
    private final class Ways implements Revoker.Ways {
        @Override
        public long roundTripMicros(int dc) {
            return clocks.roundTripMicros(dc);
        }

        @Override
        public long heldUpMicros(int lane) {
            return waits.heldUpMicros(lane);
        }

        @Override
        public long closedEpoch() {
            return closer.highestSeen();
        }
    }

    /** Brings everything to where a snapshot is. */
    private final class Installed implements SnapshotTaker.Listener {
        @Override
        public void arrived(Checkpoint checkpoint) {
            lanes.forEach(lane -> lane.truncate(checkpoint.positions().get(lane.number())));
        }

        @Override
        public void installed(Checkpoint checkpoint, int edition) {
            execution.jump(checkpoint, edition);
            changePieces.jump(checkpoint.count());
            checkpoints.jump(checkpoint, edition);
            absent.jump();
            expiring.jump();
            earlier.forget(checkpoint, edition);
            for (Lane lane : lanes) {
                lane.skipTo(checkpoint.positions().get(lane.number()));
                forwarded.skipTo(lane.number(), checkpoint.positions().get(lane.number()));
            }
            submissions.skipTo(checkpoint.positions().get(members.self()));
            if (observer != null) {
                observer.jumped(checkpoint);
            }
        }
    }
}
