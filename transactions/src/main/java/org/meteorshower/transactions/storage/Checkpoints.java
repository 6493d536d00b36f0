/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.storage;

import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.chains.ChangePieces;
import org.meteorshower.transactions.chains.RowMemory;
import org.meteorshower.transactions.lanes.Durability;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.Turn;

/**
 * Writes rows behind, in cuts: all rows that were written since the last one, as of one count. A restarted process
 * executes again from the last checkpoint that is done, and must then read the rows as they were there. So the tables
 * keep versions: of each row at least the newest one that the last checkpoint covers, and what a cut that a crash has
 * cut short has left is above it, and is not read. A checkpoint is done when the tables hold its cut, the change stream
 * all up to it, and the log what it was made of.
 *
 * <p>A cut that took long is followed by a rest, so that rows that are written again and again reach the disk once; not
 * where much waits for it.
 */
public final class Checkpoints {
    /** A rest is so many times as long as the cut before it took. */
    private static final int REST = 3;

    private static final long LONGEST_REST_MICROS = 10_000_000;

    private final Turn turn;
    private final Durability durability;
    private final RowMemory memory;
    private final ChangePieces changes;
    private final ExpiringRows expiring;
    private final long everyMicros;
    private final long cutBytes;
    private final LongSupplier oldestPinned;
    private final Predicate<Checkpoint> settled;
    private final BooleanSupplier urgent;

    private Checkpoint done;
    private int edition;
    private @Nullable Checkpoint underWay;
    private boolean inTables;

    /** The tables hold all up to here, though not what a restarted process goes on from. */
    private long held;

    private List<RowWrite> rows = List.of();
    private long cuts;
    private long begunMicros;
    private long restMicros;
    private long endedMicros;

    /**
     * @param oldestPinned the smallest count as of which the tables are read for others
     * @param settled whether the log holds what a checkpoint was made of
     * @param urgent whether too much waits for the next one to rest before it
     */
    public Checkpoints(
            Turn turn,
            Durability durability,
            RowMemory memory,
            ChangePieces changes,
            ExpiringRows expiring,
            long everyMicros,
            long cutBytes,
            LongSupplier oldestPinned,
            Predicate<Checkpoint> settled,
            BooleanSupplier urgent,
            Checkpoint done,
            int edition) {
        this.turn = turn;
        this.durability = durability;
        this.memory = memory;
        this.changes = changes;
        this.expiring = expiring;
        this.everyMicros = everyMicros;
        this.cutBytes = cutBytes;
        this.oldestPinned = oldestPinned;
        this.settled = settled;
        this.urgent = urgent;
        this.done = done;
        this.edition = edition;
        this.held = done.count();
    }

    /** The last one of which the tables hold everything. */
    public Checkpoint done() {
        return done;
    }

    /** Of so many merged entries the tables hold what they have written, the users' too: no fewer than are done. */
    public long held() {
        return held;
    }

    /** Of the rows in the tables. */
    public int edition() {
        return edition;
    }

    public boolean isUnderWay() {
        return underWay != null;
    }

    /**
     * @param now where execution stands, without a gap
     * @param mayBegin whether another cut may begin
     */
    public void tick(Checkpoint now, boolean mayBegin) {
        long nobodyBefore = Math.min(done.count(), oldestPinned.getAsLong());
        if (mayBegin
                && underWay == null
                && isDue()
                && (now.count() > done.count() || memory.hasToForget(nobodyBefore))) {
            begunMicros = turn.micros();
            underWay = now;
            inTables = false;
            rows = memory.unwritten(now.count(), nobodyBefore, expiring.lookedAtBelow());
            expiring.cutBegins(rows);
            changes.need(now.count());
            turn.emit(new Effect.WriteRows(++cuts, edition, rows));
        }
        finish();
    }

    private boolean isDue() {
        if (memory.dirtyBytes() >= cutBytes || urgent.getAsBoolean()) {
            return true;
        }
        return turn.micros() - begunMicros >= everyMicros && turn.micros() - endedMicros >= restMicros;
    }

    public void rowsWritten(long cut) {
        Checkpoint written = underWay;
        if (written != null && cut == cuts) {
            inTables = true;
            held = written.count();
            expiring.cutIsWritten();
            finish();
        }
    }

    private void finish() {
        Checkpoint written = underWay;
        if (written != null && inTables && changes.isStored(written.count()) && settled.test(written)) {
            inTables = false; // once
            durability.write(new Durable.Done(written, edition), () -> isDone(written));
        }
    }

    private void isDone(Checkpoint checkpoint) {
        if (checkpoint.equals(underWay)) {
            done = checkpoint;
            underWay = null;
            endedMicros = turn.micros();
            restMicros = Math.min(LONGEST_REST_MICROS, REST * (endedMicros - begunMicros));
            memory.durable(rows, checkpoint.count());
            rows = List.of();
        }
    }

    /** A snapshot is in the tables, durably. */
    public void jump(Checkpoint to, int toEdition) {
        done = to;
        edition = toEdition;
        held = to.count();
        underWay = null;
        rows = List.of();
    }
}
