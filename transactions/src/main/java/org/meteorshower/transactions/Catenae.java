/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.chains.ChainServer;
import org.meteorshower.transactions.chains.RowMemory;
import org.meteorshower.transactions.clocks.Doze;
import org.meteorshower.transactions.clocks.EpochCloser;
import org.meteorshower.transactions.clocks.PeerClocks;
import org.meteorshower.transactions.lanes.Durability;
import org.meteorshower.transactions.lanes.Generations;
import org.meteorshower.transactions.lanes.Lane;
import org.meteorshower.transactions.lanes.Leadership;
import org.meteorshower.transactions.lanes.LogReads;
import org.meteorshower.transactions.lanes.Peers;
import org.meteorshower.transactions.lanes.Rejoining;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.merge.Merged;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.Answer;
import org.meteorshower.transactions.port.Budget;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Observer;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.port.Turn;
import org.meteorshower.transactions.port.Usage;
import org.meteorshower.transactions.storage.AbsentRows;
import org.meteorshower.transactions.storage.Checkpoints;
import org.meteorshower.transactions.storage.SnapshotGiver;
import org.meteorshower.transactions.storage.SnapshotTaker;

/**
 * The core of one data centre: a deterministic state machine. It is told of each event, with the time, and gives the
 * effects that it wants. Not thread-safe; it has no clock, no chance, no I/O. This class only brings events to the
 * parts.
 */
public final class Catenae {
    private static final long HEARD_WITHIN_MICROS = 1_000_000;

    /** While it dozes a core needs time to pass for its messages and deadlines only. */
    private static final long DOZING_TICK_MICROS = 20_000;

    private final Members members;
    private final Settings settings;
    private final Turn turn;
    private final Durability durability;
    private final List<Lane> lanes = new ArrayList<>();
    private final Peers peers;
    private final Rejoining rejoining;
    private final Leadership leadership;
    private final PeerClocks clocks;
    private final EpochCloser closer;
    private final Doze doze;
    private final RowMemory memory;
    private final LogReads logReads;
    private final Execution execution;
    private final ChainServer chains;
    private final Admission admission;
    private final Submissions submissions;
    private final SessionKeeper sessions;
    private final Forwarded forwarded;
    private final Checkpoints checkpoints;
    private final AbsentRows absent;
    private final SnapshotGiver giver;
    private final SnapshotTaker taker;
    private final CatchUp catchUp;
    private final Truncation truncation;
    private final Audit audit;
    private final Events events = new Events();
    private final Messages messages = new Messages();
    private final @Nullable Observer observer;
    private long progressMicros = Long.MIN_VALUE / 2;
    private boolean stopped;
    private boolean forgetsEarlierEditions;

    /** False while the parts are made. A single data centre's votes decide already then, of what its disk holds. */
    private final boolean made;

    public Catenae(Members members, Settings settings, Recovery recovery) {
        this(members, settings, recovery, null);
    }

    /** @param observer null where nobody looks on */
    public Catenae(Members members, Settings settings, Recovery recovery, @Nullable Observer observer) {
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
        closer = new EpochCloser(turn, clocks, settings.epochMicros(), highestEpoch(recovery, start));
        doze = new Doze(turn, settings.dozeMicros());
        Budget budget = settings.budget();
        memory = new RowMemory(turn, settings.mostRows(), budget.rowBytes(), recovery.edition(), start.count());
        logReads = new LogReads(turn, budget.pageBytes());
        audit = new Audit(turn);
        execution =
                new Execution(turn, settings, lanes, closer, logReads, memory, audit, start, this::executed, observer);
        chains = execution.chains();
        checkpoints = new Checkpoints(
                turn,
                durability,
                memory,
                settings.checkpointMicros(),
                budget.cutBytes(),
                this::oldestPinned,
                this::isSettled,
                start,
                recovery.edition());
        absent = new AbsentRows(turn, checkpoints, memory, 2 * settings.checkpointMicros(), budget.pageBytes());
        giver = new SnapshotGiver(turn, checkpoints, this::isReached, budget.pageBytes());
        taker = new SnapshotTaker(turn, durability, new Installed(), recovery.edition(), recovery.installing());
        admission = new Admission(members, budget, turn, peers, lanes, checkpoints);
        submissions = new Submissions(turn, settings, admission, lanes.get(members.self()), life);
        sessions = new SessionKeeper(members, settings, turn, submissions);
        forwarded = new Forwarded(
                members.count(),
                settings.mostQueued(),
                budget.queuedBytes() / members.count(),
                turn,
                Forwarded.Ballots.of(lanes));
        catchUp = new CatchUp(members, turn, peers, lanes, logReads, giver, taker);
        truncation = new Truncation(members, settings, turn, peers, lanes, checkpoints, giver, recovery.logBytes());
        leadership = new Leadership(
                members, settings, turn, peers, lanes, () -> rejoining.remembers() && taker.isUsable(), doze::isDozing);
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

    /** One event. After a step that stopped this process, nothing has any effect. */
    public List<Effect> step(Event event, Now now) {
        if (stopped) {
            return List.of();
        }
        turn.begin(now);
        event.handOver(events);
        if (!stopped) {
            advance();
            close();
            durability.flush();
            memory.flush();
        }
        return turn.end();
    }

    /** In so many microseconds the next tick is due, if nothing else happens before. */
    public long tickInMicros() {
        return doze.isDozing() ? DOZING_TICK_MICROS : closer.dueInMicros();
    }

    /** Brings each kind of event to the parts that it concerns. */
    private final class Events implements Event.Handler {
        @Override
        public void on(Event.Tick tick) {
            tick();
        }

        @Override
        public void on(Event.Received received) {
            peers.heard(received.from(), turn.micros());
            received.message().handOver(messages, received.from());
        }

        @Override
        public void on(Event.Persisted persisted) {
            persisted(persisted);
        }

        @Override
        public void on(Event.Submitted submitted) {
            prefetch(submitted.request());
            submissions.submit(submitted.client(), submitted.request(), submitted.deadlineNanos());
        }

        @Override
        public void on(Event.ReadSubmitted submitted) {
            read(submitted);
        }

        @Override
        public void on(Event.Retire retire) {
            submissions.retire();
        }

        @Override
        public void on(Event.End end) {
            end();
        }

        // --- what the store has done -----------------------------------------------------------------------------

        @Override
        public void on(Event.RowsRead read) {
            if (taker.isUsable() && areThere(read.rows())) {
                chains.loaded(read.edition(), read.rows());
            }
        }

        @Override
        public void on(Event.RowsWritten written) {
            checkpoints.rowsWritten(written.cut());
        }

        @Override
        public void on(Event.LogRead read) {
            logReads.read(read.request(), read.from(), read.entries());
        }

        @Override
        public void on(Event.PageRead read) {
            giver.pageRead(read.request(), read.rows(), read.next());
            absent.pageRead(read.request(), read.rows(), read.next());
        }

        @Override
        public void on(Event.PageWritten written) {
            taker.pageWritten(written.request());
        }
    }

    private void read(Event.ReadSubmitted read) {
        if (!read.transaction().isReadOnly()) {
            turn.emit(new Effect.Reply(
                    read.client(), new Answer.ReadFailed("a read must not write: submit it with a session")));
        } else if (read.strict()) {
            submissions.submit(read.client(), new Request.Read(read.transaction()), read.deadlineNanos());
        } else {
            execution.reads().submit(read.client(), read.transaction(), read.token(), read.deadlineNanos());
        }
    }

    private void prefetch(Request request) {
        if (taker.isUsable()) {
            chains.prefetch(List.of(new Submission(0, request)));
        }
    }

    /** Brings each kind of message to the parts that it concerns, with its sender. */
    private final class Messages implements Message.Handler<Integer> {
        @Override
        public void on(Message.Prepare prepare, Integer from) {
            lanes.get(prepare.lane()).received(from, prepare);
        }

        @Override
        public void on(Message.Promised promised, Integer from) {
            lanes.get(promised.lane()).received(from, promised);
        }

        @Override
        public void on(Message.Outbid outbid, Integer from) {
            lanes.get(outbid.lane()).received(outbid);
        }

        @Override
        public void on(Message.Propose propose, Integer from) {
            closer.seen(propose.entry().epoch());
            noteNeed(propose.entry());
            if (taker.isUsable()) {
                chains.prefetch(propose.entry().submissions());
            }
            lanes.get(propose.lane()).received(from, propose);
        }

        @Override
        public void on(Message.Accepted accepted, Integer from) {
            lanes.get(accepted.lane()).received(from, accepted);
        }

        @Override
        public void on(Message.Progress progress, Integer from) {
            progressed(from, progress);
        }

        @Override
        public void on(Message.Forward forward, Integer from) {
            List<Submission> fresh = forwarded.received(from, forward);
            if (!fresh.isEmpty()) {
                doze.needed(); // Who asks does not lead, and cannot wake the others by an entry.
            }
            if (taker.isUsable()) {
                chains.prefetch(fresh);
            }
        }

        @Override
        public void on(Message.ForwardRefused refused, Integer from) {
            submissions.refused(from, refused);
        }

        // --- of the past -----------------------------------------------------------------------------------------

        @Override
        public void on(Message.Fetch fetch, Integer from) {
            catchUp.received(from, fetch);
        }

        @Override
        public void on(Message.Decided decided, Integer from) {
            catchUp.received(from, decided);
        }

        @Override
        public void on(Message.Offer offer, Integer from) {
            taker.offered(from, offer.checkpoint(), chains.count(), !checkpoints.isUnderWay());
            if (taker.isBusy()) {
                giver.stop();
            }
        }

        @Override
        public void on(Message.AskPages ask, Integer from) {
            if (taker.isUsable()) {
                giver.received(from, ask);
            }
        }

        @Override
        public void on(Message.Page page, Integer from) {
            taker.received(from, page);
        }

        @Override
        public void on(Message.Rejoin rejoin, Integer from) {
            rejoining.received(from, rejoin);
        }

        @Override
        public void on(Message.RejoinAnswer answer, Integer from) {
            rejoining.received(from, answer);
        }

        @Override
        public void on(Message.RejoinRefused refused, Integer from) {
            rejoining.received(refused);
        }
    }

    private void progressed(int from, Message.Progress progress) {
        peers.progress(from, progress);
        clocks.received(from, progress.clock());
        lanes.forEach(lane -> lane.heardOf(progress.decided().get(lane.number())));
        audit.heard(from, progress.auditCount(), progress.auditDigest());
    }

    private void persisted(Event.Persisted persisted) {
        if (durability.isFenced(persisted.fence())) {
            stop("process " + persisted.fence() + " has taken over this data centre's store: this one stops");
        } else {
            durability.persisted(persisted.batch());
        }
    }

    /**
     * Whether the tables still hold what the rows were as of what this process has written behind. Otherwise a younger
     * process has taken its place and forgotten it; then its fence stands, and with the next batch that is durable this
     * one stops. Or nobody has, and the store has brought deletions from elsewhere, or lost something. Then a snapshot
     * must be had.
     */
    private boolean areThere(Map<RowKey, StoredRow> rows) {
        boolean are = rows.values().stream().noneMatch(row -> row.version() == StoredRow.PAST_GONE);
        if (!are) {
            taker.unusable();
            giver.stop();
            durability.write(
                    new Durable.Promise(members.self(), 0), // says nothing, but the fence is read after it
                    () -> turn.alarm(
                            Effect.AlarmKind.TABLES_AHEAD,
                            "the tables do not hold what rows were as of the last checkpoint, and no other process has"
                                    + " forgotten it: a snapshot is asked for"));
        }
        return are;
    }

    private void stop(String why) {
        end();
        turn.alarm(Effect.AlarmKind.STOPPED, why);
    }

    private void end() {
        stopped = true;
        submissions.abandon();
        forwarded.abandon();
        execution.reads().abandon();
    }

    private void tick() {
        rejoining.tick();
        leadership.tick();
        lanes.forEach(Lane::tick);
        submissions.tick();
        sessions.tick();
        catchUp.tick();
        truncation.tick();
        if (execution.isBroken()) {
            taker.unusable();
        }
        checkpoints.tick(chains.checkpoint(), taker.isUsable());
        forgetEarlierEditions();
        absent.tick(taker.isUsable());
        giver.tick();
        taker.tick();
        admission.tick();
        if (turn.micros() - progressMicros >= settings.progressMicros()) {
            progressMicros = turn.micros();
            tellProgress();
        }
    }

    /** An earlier process may not have come to an end with that. */
    private void forgetEarlierEditions() {
        if (!forgetsEarlierEditions && taker.isUsable()) {
            forgetsEarlierEditions = true;
            if (checkpoints.edition() > Recovery.FIRST_EDITION) {
                turn.emit(new Effect.ForgetEditions(
                        checkpoints.edition(), checkpoints.done().count()));
            }
        }
    }

    private void tellProgress() {
        List<Long> decided =
                lanes.stream().map(lane -> lane.log().decidedBelow()).toList();
        for (int dc = 0; dc < members.count(); dc++) {
            if (dc != members.self()) {
                turn.send(
                        dc,
                        new Message.Progress(
                                clocks.reading(dc),
                                decided,
                                checkpoints.done().positions(),
                                chains.count(),
                                audit.count(),
                                audit.digest()));
            }
        }
    }

    /** Executes what has become the next in order, and answers who waits for it. */
    private void advance() {
        if (taker.isUsable()) {
            execution.advance();
        } else {
            execution.standStill();
        }
    }

    private void close() {
        forwarded.giveBack();
        for (Lane lane : lanes) {
            if (lane.takeNewLeadership()) {
                closeEpoch(lane, closer.highestSeen());
            }
        }
        if (submissions.isAsked()) {
            doze.needed();
        }
        long due = doze.isDozing() ? closer.takeSeen() : closer.takeDue();
        // Where no majority is heard the batch stays open: what is not proposed is not unknown.
        if (due != EpochCloser.NOT_NOW && peers.isMajorityHeard(HEARD_WITHIN_MICROS, turn.micros())) {
            for (Lane lane : lanes) {
                if (lane.isLed() && lane.undecided() < settings.mostUndecided() && !lane.isFull()) {
                    closeEpoch(lane, due);
                }
            }
            forward(lanes.get(members.self()));
        }
    }

    /** While another data centre leads this one's lane, what clients have asked for goes there. */
    private void forward(Lane own) {
        int leader = own.leaderElsewhere();
        if (leader >= 0 && peers.isHeard(leader, HEARD_WITHIN_MICROS, turn.micros())) {
            submissions.forward(leader, own.highestBallot());
        }
    }

    private void closeEpoch(Lane lane, long epoch) {
        if (lane.number() == members.self()) {
            submissions.close(epoch);
        } else {
            lane.propose(lane.newEntry(epoch, forwarded.take(lane.number())));
        }
    }

    private void noteNeed(Entry entry) {
        if (!entry.submissions().isEmpty()) {
            doze.needed();
        }
    }

    private void decided(int lane, long position, Entry entry) {
        if (!made) {
            return;
        }
        closer.seen(entry.epoch());
        noteNeed(entry);
        if (lane == members.self()) {
            submissions.decided(position, entry);
        }
    }

    private void executed(Merged merged, int index, Submission submission, Outcome outcome) {
        if (merged.lane() == members.self()) {
            submissions.executed(submission.ticket(), outcome, merged.number() + 1);
        }
        sessions.executed(merged, index, submission.request());
    }

    private long oldestPinned() {
        return giver.oldestPinned();
    }

    /** Whether the log goes back to a checkpoint. */
    private boolean isReached(Checkpoint checkpoint) {
        return lanes.stream()
                .allMatch(lane -> lane.floor() <= checkpoint.positions().get(lane.number()));
    }

    private boolean isSettled(Checkpoint checkpoint) {
        return lanes.stream()
                .allMatch(lane -> lane.settledBelow() >= checkpoint.positions().get(lane.number()));
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
            checkpoints.jump(checkpoint, edition);
            absent.jump();
            for (Lane lane : lanes) {
                lane.skipTo(checkpoint.positions().get(lane.number()));
            }
            submissions.skipTo(checkpoint.positions().get(members.self()));
            if (observer != null) {
                observer.jumped(checkpoint);
            }
        }
    }

    /** Whether another process has taken this one's place. */
    public boolean isStopped() {
        return stopped;
    }

    /** Where execution stands, without a gap. */
    public Checkpoint checkpoint() {
        return chains.checkpoint();
    }

    /** All positions of the lane below this one are known here to be decided. */
    public long decidedBelow(int lane) {
        return lanes.get(lane).log().decidedBelow();
    }

    /** How many clients' requests have no answer yet. */
    public int waiting() {
        return submissions.waiting();
    }

    /** Whether the disk has its votes and the tables are whole. */
    public boolean isWhole() {
        return rejoining.remembers() && taker.isUsable();
    }

    /** What it holds. */
    public Usage usage() {
        long inLanes = execution.backlogBytes();
        for (Lane lane : lanes) {
            inLanes += lane.log().weight();
        }
        return new Usage(
                inLanes,
                memory.bytes(),
                submissions.bytes() + forwarded.bytes() + execution.reads().bytes(),
                admission.lagBytes(members.self()),
                truncation.logBytes());
    }

    /** Whether this data centre leads a lane now. */
    public boolean leads(int lane) {
        return lanes.get(lane).isLed();
    }
}
