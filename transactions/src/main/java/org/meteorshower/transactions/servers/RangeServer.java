/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.chains.Results;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Holdings;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.servers.ChainMessage.Backward;
import org.meteorshower.transactions.servers.ChainMessage.Forward;
import org.meteorshower.transactions.servers.ChainMessage.Handed;

/**
 * A chain server: executes the merged order as far as it touches the rows of one range. Deterministic; used by one
 * thread. It hears messages, what its tables have read and written, and ticks, which only say that some milliseconds
 * have passed; what it wants done is {@linkplain #takeEffects() taken} after each.
 */
public final class RangeServer {
    /** It does not know K yet. */
    public static final long NOT_BEGUN = -1;

    private final int range;
    private final Division division;
    private final long budget;
    private final RangeRows rows;
    private final Tables tables;
    private final Inbox inbox = new Inbox();
    private final Outbox outbox = new Outbox();
    private final Handing handing;
    private final UnderWay underWay = new UnderWay();
    private final Receiving receiving = new Receiving();
    private final ArrayDeque<Part> ready = new ArrayDeque<>();

    private Life life;
    private long sequencerLife = Long.MIN_VALUE;

    /** K, as far as is known here. */
    private long done = NOT_BEGUN;

    /** The first one that had not ended at the last tick; null where all had. */
    private @Nullable Part firstAtLastTick;

    private long evaluations;

    /**
     * @param life greater than that of any server of the range at this node before
     * @param budget bytes of heap, about, for all that it holds
     */
    public RangeServer(int range, Life life, Division division, long budget) {
        this.range = range;
        this.division = division;
        this.budget = budget;
        this.life = life;
        this.handing = new Handing(outbox, budget / 4);
        this.rows = new RangeRows(budget / 4);
        this.tables = new Tables(rows, outbox, budget / 8);
    }

    /** Its node has heard of this assignment, by which it goes on serving. */
    public void assigned(long number) {
        life = life.in(number);
    }

    public void received(ChainMessage message) {
        message.handOver(receiving);
        end();
    }

    /**
     * @param request under which they were asked for
     * @param read each of them; of version {@link StoredRow#PAST_GONE} where the tables had it as of then, and have let
     *     go of it
     */
    public void rowsRead(long request, Map<RowKey, StoredRow> read) {
        tables.read(request, read).forEach(row -> wake(row.head()));
        end();
    }

    /** What was to be written under this number is durable. */
    public void rowsWritten(long request) {
        if (tables.written(request)) {
            tellProgress();
        }
        end();
    }

    /** Some milliseconds have passed. Whoever waits asks. */
    public void tick() {
        tables.tick();
        Part first = underWay.first();
        if (first != null && first.equals(firstAtLastTick)) {
            askFor(first);
        }
        firstAtLastTick = first;
        tellProgress();
        end();
    }

    private void askFor(Part part) {
        long count = Version.entry(part.version) - 1;
        if (part.hasGoneForward()) {
            outbox.send(part.visit.turn(), new ChainMessage.Again(range, part.visit.turn(), count));
        } else if (part.visit.turn() == range) {
            for (int other : part.visit.rows().keySet()) {
                if (other != range && !inbox.hasForward(part.version, other)) {
                    outbox.send(other, new ChainMessage.Again(range, other, count));
                }
            }
        }
    }

    /** What is to be done, since it was last asked. */
    public List<ServerEffect> takeEffects() {
        return outbox.take();
    }

    private void tellProgress() {
        outbox.send(
                ChainMessage.SEQUENCER,
                new ChainMessage.Progress(range, life, underWay.next(), executed(), tables.heldCut(), room()));
    }

    /** All below this count are executed here; {@link #NOT_BEGUN} before it has begun. */
    public long executed() {
        return underWay.executed();
    }

    /** About how many bytes of heap it holds. */
    public long bytes() {
        return underWay.bytes() + inbox.bytes() + handing.bytes() + rows.bytes();
    }

    /** Three eighths of the budget are for slices that come; what they bring along has the rest. */
    private long room() {
        return Math.max(0, budget / 8 * 3 - bytes());
    }

    /** In which it speaks. */
    public Life life() {
        return life;
    }

    /** So many transactions had their turn here. */
    public long evaluations() {
        return evaluations;
    }

    /** Rows as of K, slices from K, messages as they are asked for. */
    private void beginAnew(long from) {
        if (underWay.hasBegun()) {
            life = life.begunAnew();
        }
        done = from;
        underWay.beginAnew(from);
        ready.clear();
        tables.beginAnew(from);
        handing.beginAnew();
        inbox.dropBelow(Version.of(from, 0));
        tellProgress();
    }

    private void end() {
        for (Part part = ready.poll(); part != null; part = ready.poll()) {
            advance(part);
        }
        handing.trim();
        rows.letGo();
        if (bytes() > budget - budget / 4) {
            Part first = underWay.first();
            inbox.dropFrom(first == null ? Version.of(underWay.next(), 0) : first.version + 1);
        }
        tables.flush(executed(), done);
    }

    // --- chains ------------------------------------------------------------------------------------------------------

    private void take(Slice slice) {
        for (Slice.Piece piece : slice.pieces()) {
            long version = Version.of(slice.count(), piece.index());
            Visit visit = Visit.of(piece.submission().request(), slice.place(piece), version, division);
            Part part = new Part(version, visit, range);
            underWay.add(part);
            part.rows.forEach(row -> rows.row(row).enqueue(part));
            ready.add(part);
        }
        underWay.took(slice);
    }

    private void wake(@Nullable Part part) {
        if (part != null) {
            ready.add(part);
        }
    }

    /** As far as it gets. It may have been woken twice. */
    private void advance(Part part) {
        if (underWay.part(part.version) == null || (!part.hasGoneForward() && !headsItsQueues(part))) {
            return; // It is woken when its turn comes.
        } else if (part.visit.turn() == range) {
            turn(part);
            return;
        }
        if (!part.hasGoneForward()) {
            forward(part);
        }
        if (part.visit.mayWriteIn(range)) {
            backward(part);
        } else {
            underWay.ended(part);
        }
    }

    private boolean headsItsQueues(Part part) {
        for (RowKey key : part.rows) {
            RangeRow row = rows.row(key);
            if (!part.equals(row.head()) || !row.isLoaded()) {
                return false;
            }
        }
        return true;
    }

    private Map<RowKey, Row> held(Part part) {
        Map<RowKey, Row> held = new TreeMap<>();
        part.rows.forEach(key -> held.put(key, rows.row(key).newest()));
        return held;
    }

    private void forward(Part part) {
        handing.hand(new Forward(part.version, range, part.visit.turn(), held(part)));
        part.goneForward();
        for (RowKey key : part.rows) {
            if (isPassedOn(part, key)) {
                wake(rows.row(key).leave(part));
            }
        }
    }

    /** Whether those behind may have the row before it is known what becomes of it. */
    private static boolean isPassedOn(Part part, RowKey key) {
        return !part.visit.mayWrite().contains(key);
    }

    private void turn(Part part) {
        for (int other : part.visit.rows().keySet()) {
            if (other != range && !inbox.hasForward(part.version, other)) {
                return;
            }
        }
        Holdings all = new Holdings();
        held(part).forEach(all::hold);
        inbox.held(part.version).forEach(all::hold);
        Evaluation evaluation = part.visit.requests().evaluate(all, null);
        evaluations++;
        write(part, evaluation.writes());
        for (int other : part.visit.rows().keySet()) {
            if (other != range && part.visit.mayWriteIn(other)) {
                handing.hand(new Backward(part.version, range, other, writesIn(other, evaluation)));
            }
        }
        long digest = Results.mix(part.version, evaluation);
        handing.hand(new ChainMessage.Ended(part.version, range, evaluation.outcome(), digest));
    }

    private Map<RowKey, Row> writesIn(int other, Evaluation evaluation) {
        Map<RowKey, Row> writes = new TreeMap<>();
        evaluation.writes().forEach((key, row) -> {
            if (division.rangeOf(key) == other) {
                writes.put(key, row);
            }
        });
        return writes;
    }

    private void backward(Part part) {
        Backward told = inbox.backward(part.version);
        if (told != null) {
            write(part, told.writes());
        }
    }

    /** What is written here, and passes the rows on. */
    private void write(Part part, Map<RowKey, Row> writes) {
        for (RowKey key : part.rows) {
            Row written = writes.get(key);
            if (written != null) {
                rows.write(rows.row(key), part.version, written, executed(), tables.dueCut());
            }
            wake(rows.row(key).leave(part));
        }
        underWay.ended(part);
        inbox.ended(part.version);
    }

    // --- messages ----------------------------------------------------------------------------------------------------

    private final class Receiving implements ChainMessage.Handler {
        @Override
        public void on(ChainMessage.Slices slices) {
            if (slices.life() < sequencerLife) {
                return;
            }
            sequencerLife = slices.life();
            handing.heard(slices);
            long to = Math.max(done, slices.done());
            boolean isDue = slices.cut() > to;
            if (!underWay.hasBegun() || executed() < to || (isDue && missesCut(slices.cut()))) {
                beginAnew(to);
            }
            if (to > done) {
                done = to;
                handing.passed(to);
            }
            if (isDue) {
                tables.cutDue(slices.cut());
            }
            if (isWithoutGap(slices)) {
                for (Slice slice : slices.slices()) {
                    if (slice.count() >= underWay.next()) {
                        take(slice);
                    }
                }
                underWay.toldBelow(slices.below());
            }
        }

        /** Whether a cut is due as of which its rows may not be known any more. */
        private boolean missesCut(long cut) {
            return cut != tables.cut() && cut < underWay.next();
        }

        private boolean isWithoutGap(ChainMessage.Slices slices) {
            return slices.from() <= underWay.next();
        }

        @Override
        public void on(Forward forward) {
            if (isAwaited(forward)) {
                inbox.put(forward);
                wake(underWay.part(forward.version()));
            }
        }

        @Override
        public void on(Backward backward) {
            if (isAwaited(backward)) {
                inbox.put(backward);
                wake(underWay.part(backward.version()));
            }
        }

        /** Not if the transaction has ended here. */
        private boolean isAwaited(Handed message) {
            return underWay.hasBegun()
                    && (underWay.part(message.version()) != null
                            || message.version() >= Version.of(underWay.next(), 0));
        }

        @Override
        public void on(ChainMessage.Again again) {
            if (!underWay.hasBegun() || again.count() < done) {
                return; // Who asks for what is below K will hear of K, and begin there.
            }
            if (!handing.again(again)) {
                beginAnew(done);
            }
        }

        @Override
        public void on(ChainMessage.Progress progress) {
            throw new IllegalArgumentException("this is for the sequencer: " + progress);
        }

        @Override
        public void on(ChainMessage.Ended ended) {
            throw new IllegalArgumentException("this is for the sequencer: " + ended);
        }
    }
}
