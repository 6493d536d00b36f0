/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.storage;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.chains.RowMemory;
import org.meteorshower.transactions.lanes.Durability;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.port.Turn;

/**
 * Writes rows behind. A restarted process executes again from its last checkpoint, and must then read the rows as they were there:
 * so tables may not hold anything newer that it would not know of. Therefore what is about to be written is made durable as a whole
 * first (the redo record); only then are the tables written; then the checkpoint is done. A crash in between is made good from the
 * redo record, and leaves nothing from the future.
 */
public final class Checkpoints {
    private final Turn turn;
    private final Durability durability;
    private final RowMemory memory;
    private final long everyMicros;

    private Checkpoint done;
    private @Nullable Checkpoint underWay;
    private Map<RowKey, StoredRow> rows = Map.of();
    private long flushes;
    private long lastMicros;

    public Checkpoints(Turn turn, Durability durability, RowMemory memory, long everyMicros, Checkpoint done) {
        this.turn = turn;
        this.durability = durability;
        this.memory = memory;
        this.everyMicros = everyMicros;
        this.done = done;
    }

    /** The last one of which the tables hold everything. */
    public Checkpoint done() {
        return done;
    }

    /** The tables hold, or are about to hold, nothing newer than so many merged entries have written. */
    public long written() {
        Checkpoint now = underWay;
        return now == null ? done.count() : Math.max(done.count(), now.count());
    }

    public boolean isUnderWay() {
        return underWay != null;
    }

    /** Makes good what a crash has cut short. */
    public void resume(Durable.Redo redo) {
        underWay = redo.checkpoint();
        rows = redo.rows();
        writeRows();
    }

    /** @param now where execution stands, without a gap */
    public void tick(Checkpoint now) {
        if (underWay == null && now.count() > done.count() && turn.micros() - lastMicros >= everyMicros) {
            lastMicros = turn.micros();
            underWay = now;
            rows = memory.dirtyAsOf(now.count());
            durability.write(new Durable.Redo(now, rows), this::writeRows);
        }
    }

    private void writeRows() {
        turn.emit(new Effect.WriteRows(++flushes, rows));
    }

    public void rowsWritten(long flush) {
        Checkpoint written = underWay;
        if (written != null && flush == flushes) {
            durability.write(new Durable.Done(written), () -> isDone(written));
        }
    }

    private void isDone(Checkpoint checkpoint) {
        if (checkpoint.equals(underWay)) {
            done = checkpoint;
            underWay = null;
            memory.durable(rows);
            rows = Map.of();
        }
    }

    /** A snapshot is in the tables, durably. */
    public void jump(Checkpoint to) {
        done = to;
    }
}
