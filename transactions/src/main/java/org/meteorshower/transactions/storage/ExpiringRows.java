/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.storage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.meteorshower.transactions.chains.Expected;
import org.meteorshower.transactions.chains.RowMemory;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.Turn;

/**
 * Proposes the end of values whose time is over. The tables tell which rows are to be looked at when
 * ({@link RowWrite#due}); here is known up to where that was done. Only the proposal hangs on a clock: a value is there
 * until its end stands in the order, the same for all.
 *
 * <p>Times are milliseconds since 1970, by the clock that lanes are aligned by.
 */
public final class ExpiringRows {
    /** What proposes, for the system itself. */
    public interface Proposer {
        void propose(Request.ExpireRows request);

        /** Whether it has not proposed this yet. */
        boolean holds(Request.ExpireRows request);
    }

    private static final long LOOK_EVERY_MICROS = 250_000;

    /** After so long it is looked again whether the rows have something that has ended. */
    private static final long PATIENCE_MICROS = 5_000_000;

    /** What others should do first is left to them for so long. */
    private static final long LATER_MILLIS = 2_000;

    private static final long FORGET_EVERY_MILLIS = 60_000;

    /** Rows that are asked for together. */
    private static final int PAGE = 500;

    /** Rows of one request. */
    private static final int MOST_ROWS = 100;

    private static final int MOST_UNDER_WAY = 16;

    /** @param from where those were looked for that are in it */
    private record Batch(Request.ExpireRows request, long from, long proposedMicros) {}

    private final Turn turn;
    private final Supplier<OptionalLong> alignedMicros;
    private final IntSupplier edition;
    private final RowMemory memory;
    private final Proposer proposer;
    private final ToIntFunction<RowKey> apart;

    private final List<Batch> underWay = new ArrayList<>();

    /** Of all batches under way. */
    private final Set<RowKey> rowsUnderWay = new HashSet<>();

    /** What was due earlier has been looked at. */
    private long lookedAt;

    /** Nothing is due from there on before this; while a read is under way, of what was noted since it began. */
    private long next;

    /** Of the read under way; 0 for none. */
    private long request;

    private long requests;
    private long askedBelow;
    private long askedBy;

    /** Whether rows have been written since that read was asked for, of which it may not have told. */
    private boolean again;

    /** When the first row is due that the cut under way writes; {@link Row#NEVER} where none is. */
    private long dueInCut = Row.NEVER;

    /** Whether anything was ever due. */
    private boolean isUsed;

    private long forgotten;
    private long lookedMicros;

    /** @param alignedMicros the time; empty while it is not known */
    public ExpiringRows(
            Turn turn, Supplier<OptionalLong> alignedMicros, IntSupplier edition, RowMemory memory, Proposer proposer) {
        this(turn, alignedMicros, edition, memory, proposer, row -> 0);
    }

    /** @param apart rows for which it gives different numbers are not proposed together */
    public ExpiringRows(
            Turn turn,
            Supplier<OptionalLong> alignedMicros,
            IntSupplier edition,
            RowMemory memory,
            Proposer proposer,
            ToIntFunction<RowKey> apart) {
        this.turn = turn;
        this.alignedMicros = alignedMicros;
        this.edition = edition;
        this.memory = memory;
        this.proposer = proposer;
        this.apart = apart;
    }

    /**
     * For how long values may have been over, by the aligned clock, that are still there; 0 where none ever was to end,
     * or the time is not known. That others should propose first, and it is looked but so often, counts.
     */
    public long behindMicros() {
        if (!isUsed && underWay.isEmpty()) {
            return 0;
        }
        OptionalLong now = alignedMicros.get();
        return now.isPresent() ? Math.max(0, now.getAsLong() - 1_000 * done()) : 0;
    }

    /** What was due earlier has been looked at, and is neither in a cut that is being written nor proposed. */
    private long done() {
        long done = Math.min(lookedAt, dueInCut);
        for (Batch batch : underWay) {
            done = Math.min(done, batch.from);
        }
        return done;
    }

    /** Rows that were due earlier may have been looked at already: others are to be noted as due then, or later. */
    public long lookedAtBelow() {
        return lookedAt;
    }

    /** A cut begins to write these. */
    public void cutBegins(List<RowWrite> rows) {
        dueInCut = memory.firstDue(rows);
        isUsed |= dueInCut != Row.NEVER;
    }

    /** It has: what was looked at meanwhile may have been told without it. */
    public void cutIsWritten() {
        goBack(dueInCut);
        dueInCut = Row.NEVER;
    }

    /** Others have written rows of which something ends from then on: what was looked at may have been told without. */
    public void endsFrom(long millis) {
        isUsed |= millis != Row.NEVER;
        goBack(millis);
    }

    private void goBack(long to) {
        if (to != Row.NEVER) {
            lookedAt = Math.min(lookedAt, to);
            next = Math.min(next, to);
            again |= request != 0 && to < askedBelow;
        }
    }

    /**
     * @param usable whether the rows are whole
     * @param before so many data centres should do it first
     */
    public void tick(boolean usable, int before) {
        if (!usable || turn.micros() - lookedMicros < LOOK_EVERY_MICROS) {
            return;
        }
        lookedMicros = turn.micros();
        giveUp();
        look(before);
        forget();
    }

    private void giveUp() {
        for (Iterator<Batch> all = underWay.iterator(); all.hasNext(); ) {
            Batch batch = all.next();
            if (turn.micros() - batch.proposedMicros > PATIENCE_MICROS && !proposer.holds(batch.request)) {
                all.remove();
                batch.request.rows().forEach(rowsUnderWay::remove);
                goBack(batch.from);
            }
        }
    }

    private void look(int before) {
        OptionalLong now = alignedMicros.get();
        if (request != 0 || underWay.size() >= MOST_UNDER_WAY || now.isEmpty()) {
            return;
        }
        long below = now.getAsLong() / 1_000 - before * LATER_MILLIS;
        lookedAt = Math.max(lookedAt, Math.min(next, below));
        if (lookedAt < below) {
            request = ++requests;
            again = false;
            next = Row.NEVER;
            askedBelow = below;
            askedBy = now.getAsLong() / 1_000;
            turn.emit(new Effect.ReadDue(request, edition.getAsInt(), lookedAt, below, askedBy, PAGE));
        }
    }

    /**
     * @param usable whether the rows are whole
     * @param before so many data centres should do it first
     */
    public void dueRead(Event.DueRead read, boolean usable, int before) {
        if (read.request() != request) {
            return;
        }
        request = 0;
        if (!usable) {
            next = lookedAt;
            return;
        }
        isUsed |= read.next() != Row.NEVER;
        propose(read.rows());
        if (again) {
            next = lookedAt;
        } else {
            boolean goesOn = read.told() > lookedAt
                    && read.told() < askedBelow; // else some were due together, and are under way
            lookedAt = read.told();
            next = Math.min(next, read.next()); // the read may be older than what was noted meanwhile
            if (goesOn) {
                look(before);
            }
        }
    }

    private void propose(List<RowKey> rows) {
        List<RowKey> together = new ArrayList<>();
        Expected expected = Expected.NOTHING;
        List<RowKey> sorted = new ArrayList<>(rows);
        sorted.sort(Comparator.comparingInt(apart));
        for (RowKey row : sorted) {
            if (!memory.mayHaveEnded(row, askedBy) || !rowsUnderWay.add(row)) {
                continue;
            }
            Expected own = memory.expected(new Request.ExpireRows(List.of(row), askedBy));
            expected = expected.plus(own);
            if (together.size() == MOST_ROWS
                    || (!together.isEmpty() && (isApart(together, row) || memory.areMany(expected)))) {
                propose(together, lookedAt);
                together = new ArrayList<>();
                expected = own;
            }
            together.add(row);
        }
        if (!together.isEmpty()) {
            propose(together, lookedAt);
        }
    }

    private boolean isApart(List<RowKey> together, RowKey row) {
        return apart.applyAsInt(together.get(0)) != apart.applyAsInt(row);
    }

    private void propose(List<RowKey> rows, long from) {
        Batch batch = new Batch(new Request.ExpireRows(rows, askedBy), from, turn.micros());
        underWay.add(batch);
        proposer.propose(batch.request);
    }

    /** Something was executed here: maybe what this data centre has proposed. */
    public void executed(Request executed) {
        for (Iterator<Batch> all = underWay.iterator(); all.hasNext(); ) {
            Batch batch = all.next();
            if (batch.request.equals(executed)) {
                all.remove();
                batch.request.rows().forEach(rowsUnderWay::remove);
            }
        }
    }

    private void forget() {
        long done = done();
        if (forgotten == 0) {
            forgotten = done; // what an earlier process has left waits a minute, too
        } else if (isUsed && done / FORGET_EVERY_MILLIS > forgotten / FORGET_EVERY_MILLIS) {
            forgotten = done;
            turn.emit(new Effect.ForgetDue(done));
        }
    }

    /** The tables hold something else now. */
    public void jump() {
        for (Batch batch : underWay) {
            lookedAt = Math.min(lookedAt, batch.from);
        }
        underWay.clear();
        rowsUnderWay.clear();
        request = 0;
        next = lookedAt;
        dueInCut = Row.NEVER;
        isUsed = true;
    }
}
