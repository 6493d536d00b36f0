/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.clocks.EpochCloser;
import org.meteorshower.transactions.fronts.Bodies;
import org.meteorshower.transactions.fronts.Tokens;
import org.meteorshower.transactions.lanes.Lane;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.port.Answer;
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
import org.meteorshower.transactions.port.Usage;

/**
 * The core of one data centre: a deterministic state machine. It is told of each event, with the time, and gives the
 * effects that it wants. Not thread-safe; it has no clock, no chance, no I/O. This class only brings events to the
 * parts.
 */
public final class Catenae {
    static final long HEARD_WITHIN_MICROS = 1_000_000;

    private static final long MOST_AHEAD_MICROS = 1_000_000;

    /** While it dozes a core needs time to pass for its messages and deadlines only. */
    private static final long DOZING_TICK_MICROS = 20_000;

    private final Events events = new Events();
    private final Parts parts;
    private final Messages messages;
    private long progressMicros = Long.MIN_VALUE / 2;
    private boolean stopped;

    /** @param ring where rows are: the same in all data centres */
    public Catenae(Members members, Settings settings, Recovery recovery, Tokens ring) {
        this(members, settings, recovery, ring, null);
    }

    /**
     * @param ring the same
     * @param observer null where nobody looks on
     */
    public Catenae(Members members, Settings settings, Recovery recovery, Tokens ring, @Nullable Observer observer) {
        parts = new Parts(members, settings, recovery, new Bodies(ring), observer);
        messages = new Messages(parts);
    }

    /** One event. After a step that stopped this process, nothing has any effect. */
    public List<Effect> step(Event event, Now now) {
        if (stopped) {
            return List.of();
        }
        parts.turn.begin(now);
        event.handOver(events);
        if (!stopped) {
            parts.waits.look();
            advance();
            close();
            parts.durability.flush();
            parts.memory.flush(parts.chains.count(), parts.chains::firstRows);
        }
        return parts.turn.end();
    }

    /** In so many microseconds the next tick is due, if nothing else happens before. */
    public long tickInMicros() {
        return parts.doze.isDozing() ? DOZING_TICK_MICROS : parts.closer.dueInMicros();
    }

    /** Brings each kind of event to the parts that it concerns. */
    private final class Events implements Event.Handler {
        @Override
        public void on(Event.Tick tick) {
            tick();
        }

        @Override
        public void on(Event.Received received) {
            parts.peers.heard(received.from(), parts.turn.micros(), parts.leadership.hasListened());
            received.message().handOver(messages, received.from());
        }

        @Override
        public void on(Event.Severed severed) {
            parts.peers.severed(severed.dc());
        }

        @Override
        public void on(Event.UsesFormat uses) {
            parts.forms.uses(uses.format());
        }

        @Override
        public void on(Event.Persisted persisted) {
            persisted(persisted);
        }

        @Override
        public void on(Event.Submitted submitted) {
            parts.prefetch(List.of(new Submission(0, submitted.request())));
            parts.submissions.submit(submitted.client(), submitted.request(), submitted.deadlineNanos());
        }

        @Override
        public void on(Event.ReadSubmitted submitted) {
            read(submitted);
        }

        @Override
        public void on(Event.TablesAwaited awaited) {
            parts.tableWaits.add(awaited.client(), awaited.token(), awaited.deadlineNanos());
            parts.tableWaits.look(parts.taker.isUsable());
        }

        @Override
        public void on(Event.Retire retire) {
            parts.submissions.retire();
        }

        @Override
        public void on(Event.End end) {
            end();
        }

        // --- what the store has done -----------------------------------------------------------------------------

        @Override
        public void on(Event.RowsRead read) {
            if (parts.taker.isUsable() && areThere(read.rows())) {
                parts.chains.loaded(read.edition(), read.rows());
            }
        }

        @Override
        public void on(Event.KeysRead read) {
            if (parts.taker.isUsable()) {
                parts.chains.keysRead(read.request(), read.keys(), read.more());
            }
        }

        @Override
        public void on(Event.RowsWritten written) {
            parts.checkpoints.rowsWritten(written.cut());
            parts.tableWaits.look(parts.taker.isUsable());
        }

        @Override
        public void on(Event.ChangesWritten written) {
            parts.changePieces.stored();
        }

        @Override
        public void on(Event.LogRead read) {
            parts.logReads.read(read.request(), read.from(), read.entries());
        }

        @Override
        public void on(Event.PageRead read) {
            parts.giver.pageRead(read.request(), read.rows(), read.bases(), read.next());
            parts.absent.pageRead(read.request(), read.rows(), read.next());
        }

        @Override
        public void on(Event.PageWritten written) {
            parts.taker.pageWritten(written.request());
        }

        @Override
        public void on(Event.DueRead read) {
            parts.expiring.dueRead(read, parts.taker.isUsable(), parts.heardBefore());
        }

        @Override
        public void on(Event.EditionsForgotten forgotten) {
            parts.earlier.forgotten(forgotten.below());
        }
    }

    private void read(Event.ReadSubmitted read) {
        if (!read.transaction().isReadOnly()) {
            parts.turn.emit(new Effect.Reply(
                    read.client(), new Answer.ReadFailed("a read must not write: submit it with a session")));
        } else if (read.strict() || !read.transaction().claims().isEmpty()) {
            parts.submissions.submit(read.client(), new Request.Read(read.transaction()), read.deadlineNanos());
        } else {
            parts.execution.reads().submit(read.client(), read.transaction(), read.token(), read.deadlineNanos());
        }
    }

    private void persisted(Event.Persisted persisted) {
        if (parts.durability.isFenced(persisted.fence())) {
            stop("process " + persisted.fence() + " has taken over this data centre's store: this one stops");
        } else {
            parts.durability.persisted(persisted.batch());
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
            parts.taker.unusable();
            parts.giver.stop();
            parts.durability.write(
                    new Durable.Promise(parts.members.self(), 0), // says nothing, but the fence is read after it
                    () -> parts.turn.alarm(
                            Effect.AlarmKind.TABLES_AHEAD,
                            "the tables do not hold what rows were as of the last checkpoint, and no other process has"
                                    + " forgotten it: a snapshot is asked for"));
        }
        return are;
    }

    private void stop(String why) {
        end();
        parts.turn.alarm(Effect.AlarmKind.STOPPED, why);
    }

    private void end() {
        stopped = true;
        parts.submissions.abandon();
        parts.forwarded.abandon();
        parts.execution.reads().abandon();
        parts.tableWaits.abandon();
    }

    private void tick() {
        parts.rejoining.tick();
        parts.leadership.tick();
        parts.lanes.forEach(Lane::tick);
        parts.submissions.tick();
        parts.sessions.tick();
        parts.catchUp.tick();
        parts.truncation.tick();
        if (parts.execution.isBroken()) {
            parts.taker.unusable();
        }
        parts.checkpoints.tick(parts.chains.checkpoint(), parts.taker.isUsable());
        parts.tableWaits.look(parts.taker.isUsable());
        parts.changePieces.tick();
        if (parts.taker.isUsable()) {
            parts.earlier.tick(parts.checkpoints.done(), parts.checkpoints.edition());
        }
        parts.absent.tick(parts.taker.isUsable());
        parts.expiring.tick(parts.taker.isUsable(), parts.heardBefore());
        parts.giver.tick();
        parts.taker.tick();
        parts.admission.tick();
        if (parts.turn.micros() - progressMicros >= parts.settings.progressMicros()) {
            progressMicros = parts.turn.micros();
            tellProgress();
        }
    }

    private void tellProgress() {
        List<Long> decided =
                parts.lanes.stream().map(lane -> lane.log().decidedBelow()).toList();
        for (int dc = 0; dc < parts.members.count(); dc++) {
            if (dc != parts.members.self()) {
                parts.turn.send(
                        dc,
                        new Message.Progress(
                                parts.clocks.reading(dc),
                                decided,
                                parts.checkpoints.done().positions(),
                                parts.chains.count(),
                                parts.audit.count(),
                                parts.audit.digest(),
                                parts.waits.take(dc),
                                true));
            }
        }
    }

    /** Executes what has become the next in order, and answers who waits for it. */
    private void advance() {
        if (parts.taker.isUsable()) {
            parts.execution.advance();
        } else {
            parts.execution.standStill();
        }
    }

    private void close() {
        parts.forwarded.giveBack();
        for (Lane lane : parts.lanes) {
            if (lane.takeNewLeadership() && isOpen(lane, parts.closer.highestSeen())) {
                closeEpoch(lane, parts.closer.highestSeen());
            }
        }
        if (parts.submissions.isAsked()) {
            parts.doze.needed();
        }
        long due = parts.doze.isDozing() ? parts.closer.takeSeen() : parts.closer.takeDue();
        // Where no majority is heard the batch stays open: what is not proposed is not unknown.
        if (due != EpochCloser.NOT_NOW && parts.peers.isMajorityHeard(HEARD_WITHIN_MICROS, parts.turn.micros())) {
            for (Lane lane : parts.lanes) {
                if (lane.isLed()
                        && isOpen(lane, due)
                        && lane.undecided() < parts.settings.mostUndecided()
                        && !lane.isFull()) {
                    closeEpoch(lane, due);
                }
            }
            forward(parts.lanes.get(parts.members.self()));
        }
    }

    /**
     * Whether the epoch is not closed in the lane yet. One that is would make the lane run ahead of all others, for
     * ever. What is closed far ahead was closed by another clock.
     */
    private boolean isOpen(Lane lane, long epoch) {
        long ahead = lane.closedEpoch() - epoch;
        return ahead < 0 || ahead > MOST_AHEAD_MICROS / parts.settings.epochMicros();
    }

    /** While another data centre leads this one's lane, what clients have asked for goes there. */
    private void forward(Lane own) {
        int leader = own.leaderElsewhere();
        if (leader >= 0 && parts.peers.isHeard(leader, HEARD_WITHIN_MICROS, parts.turn.micros())) {
            parts.submissions.forward(leader, own.highestBallot());
        }
    }

    private void closeEpoch(Lane lane, long epoch) {
        if (lane.number() == parts.members.self()) {
            parts.submissions.close(epoch);
        } else {
            Entry entry = lane.newEntry(epoch, parts.forwarded.take(lane.number()));
            parts.forwarded.proposes(lane.number(), lane.nextPosition(), entry);
            lane.propose(entry);
        }
    }

    /** Whether another process has taken this one's place. */
    public boolean isStopped() {
        return stopped;
    }

    /** Where execution stands, without a gap. */
    public Checkpoint checkpoint() {
        return parts.chains.checkpoint();
    }

    /** All positions of the lane below this one are known here to be decided. */
    public long decidedBelow(int lane) {
        return parts.lanes.get(lane).log().decidedBelow();
    }

    /** How many clients' requests have no answer yet. */
    public int waiting() {
        return parts.submissions.waiting();
    }

    /** Whether the disk has its votes and the tables are whole. */
    public boolean isWhole() {
        return parts.rejoining.remembers() && parts.taker.isUsable();
    }

    /** What it holds. */
    public Usage usage() {
        return parts.usage();
    }

    /** For how long values may have been over that are still there; see {@code ExpiringRows}. */
    public long endsBehindMicros() {
        return parts.expiring.behindMicros();
    }

    /** Whether the tables hold all that was executed. */
    public boolean isWrittenBehind() {
        return !parts.memory.isDirty();
    }

    /** Whether this data centre leads a lane now. */
    public boolean leads(int lane) {
        return parts.lanes.get(lane).isLed();
    }
}
