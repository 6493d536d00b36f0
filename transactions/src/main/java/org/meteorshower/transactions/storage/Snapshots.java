/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.storage;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.chains.RowMemory;
import org.meteorshower.transactions.lanes.Durability;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.port.Turn;

/**
 * Gives a data centre that lags behind the logs everything at once, and takes that in. While the tables are read for another, and
 * while they are replaced, nothing is written behind.
 */
public final class Snapshots {
    /** Hears when everything up to a checkpoint is in the tables, durably, and execution is to go on from there. */
    public interface Listener {
        void installed(Checkpoint checkpoint);
    }

    private final Turn turn;
    private final Durability durability;
    private final RowMemory memory;
    private final Listener listener;

    private final TreeSet<Integer> askers = new TreeSet<>();
    private @Nullable Checkpoint reading;
    private Map<RowKey, StoredRow> overlay = Map.of();
    private Message.@Nullable Snapshot installing;
    private boolean tablesUsable;

    /** The newest version that was found in the tables where it could not be. */
    private long newestFound;

    private long requests;

    /** @param tablesUsable false where a crash cut an installation short, so that a snapshot must be had */
    public Snapshots(Turn turn, Durability durability, RowMemory memory, boolean tablesUsable, Listener listener) {
        this.turn = turn;
        this.durability = durability;
        this.memory = memory;
        this.tablesUsable = tablesUsable;
        this.listener = listener;
    }

    /** Whether the tables can be executed on: they are not being replaced, and are whole. */
    public boolean isTablesUsable() {
        return tablesUsable;
    }

    /**
     * The tables hold a row that is newer than anything executed here. Nothing is executed until a snapshot from beyond it has replaced
     * them; an earlier one would leave it there.
     *
     * @param newest its version
     */
    public void tablesAhead(long newest) {
        newestFound = Math.max(newestFound, newest);
        tablesUsable = false;
        reading = null;
        overlay = Map.of();
        askers.clear();
    }

    /** Whether tables are being read or replaced, or are about to be. */
    public boolean isBusy() {
        return reading != null || installing != null || !askers.isEmpty();
    }

    public void askedBy(int dc) {
        if (tablesUsable) {
            askers.add(dc);
        }
    }

    /**
     * Begins to read the tables where somebody has asked.
     *
     * @param now where execution stands, without a gap
     * @param quiet whether nothing is being written behind
     */
    public void tick(Checkpoint now, boolean quiet) {
        if (!askers.isEmpty() && quiet && reading == null && installing == null) {
            reading = now;
            overlay = memory.dirtyAsOf(now.count());
            turn.emit(new Effect.ReadTables(++requests));
        }
    }

    public void tablesRead(long request, Map<RowKey, StoredRow> tables) {
        Checkpoint checkpoint = reading;
        if (checkpoint != null && request == requests) {
            Map<RowKey, StoredRow> rows = new HashMap<>(tables);
            rows.putAll(overlay);
            for (int asker : askers) {
                turn.send(asker, new Message.Snapshot(checkpoint, rows));
            }
            askers.clear();
            reading = null;
            overlay = Map.of();
        }
    }

    /** Returns whether the snapshot is taken in; then nothing may be executed until the listener hears of it. */
    public boolean received(Message.Snapshot snapshot, long count, boolean quiet) {
        if (installing != null
                || !quiet
                || snapshot.checkpoint().count() < count
                || newestFound >= Version.endOf(snapshot.checkpoint().count())
                || (tablesUsable && snapshot.checkpoint().count() == count)) {
            return false;
        }
        installing = snapshot;
        tablesUsable = false;
        reading = null;
        askers.clear();
        durability.write(
                new Durable.Installing(snapshot.checkpoint()),
                () -> turn.emit(new Effect.ReplaceTables(++requests, Collections.unmodifiableMap(snapshot.rows()))));
        return true;
    }

    public void tablesReplaced(long request) {
        Message.Snapshot snapshot = installing;
        if (snapshot != null && request == requests) {
            durability.write(new Durable.Done(snapshot.checkpoint()), () -> {
                installing = null;
                tablesUsable = true;
                listener.installed(snapshot.checkpoint());
            });
        }
    }
}
