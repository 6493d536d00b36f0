/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Durable.Redo;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.StoredRow;

/** What a data centre's replicas hold, shared by all processes that ever run there. Knows nothing of delays. */
final class Disk {
    private final int dcs;
    private final Map<Integer, Long> promises = new HashMap<>();
    private final Map<Integer, Long> floors = new HashMap<>();
    private final Map<Integer, TreeMap<Long, AcceptedEntry>> accepted = new HashMap<>();
    private final Map<Integer, Durable.Generation> generations = new HashMap<>();
    private final int self;
    private Checkpoint done;
    private @Nullable Redo redo;
    private @Nullable Checkpoint installing;
    private final TreeMap<RowKey, StoredRow> tables = new TreeMap<>();
    private boolean blank;
    private long fence;

    Disk(int self, int dcs) {
        this.self = self;
        this.dcs = dcs;
        this.done = Checkpoint.first(dcs);
    }

    long fence() {
        return fence;
    }

    void writeFence(long life) {
        fence = life;
    }

    boolean isBlank() {
        return blank;
    }

    void write(Durable record) {
        if (record instanceof Durable.Promise promise) {
            promises.merge(promise.lane(), promise.ballot(), Math::max);
        } else if (record instanceof Durable.Accept accept) {
            if (accept.position() >= floors.getOrDefault(accept.lane(), 0L)) {
                accepted.computeIfAbsent(accept.lane(), l -> new TreeMap<>())
                        .merge(
                                accept.position(),
                                new AcceptedEntry(accept.position(), accept.ballot(), accept.entry()),
                                (a, b) -> a.ballot() >= b.ballot() ? a : b);
            }
        } else if (record instanceof Durable.Truncate truncate) {
            floors.merge(truncate.lane(), truncate.floor(), Math::max);
            accepted.computeIfAbsent(truncate.lane(), l -> new TreeMap<>())
                    .headMap(truncate.floor())
                    .clear();
        } else if (record instanceof Durable.Generation generation) {
            generations.merge(generation.dc(), generation, (a, b) -> a.generation() > b.generation() ? a : b);
            blank &= generation.dc() != self;
        } else if (record instanceof Durable.Redo wanted) {
            Redo kept = redo;
            long count = wanted.checkpoint().count();
            if (count > done.count()
                    && (kept == null || count >= kept.checkpoint().count())) {
                redo = wanted;
            }
        } else if (record instanceof Durable.Installing wanted) {
            if (wanted.checkpoint().count() >= done.count()) {
                installing = wanted.checkpoint();
            }
        } else if (record instanceof Durable.Done checkpoint) {
            isDone(checkpoint.checkpoint());
        }
    }

    private void isDone(Checkpoint checkpoint) {
        if (checkpoint.count() >= done.count()) {
            done = checkpoint;
        }
        Redo kept = redo;
        if (kept != null && kept.checkpoint().count() <= done.count()) {
            redo = null;
        }
        Checkpoint replaced = installing;
        if (replaced != null && replaced.count() <= checkpoint.count()) {
            installing = null;
        }
    }

    StoredRow row(RowKey key) {
        return tables.getOrDefault(key, StoredRow.NEVER_WRITTEN);
    }

    /** Last write wins. */
    void write(RowKey key, StoredRow row) {
        tables.merge(key, row, (a, b) -> b.version() >= a.version() ? b : a);
    }

    Map<RowKey, StoredRow> tables() {
        return new TreeMap<>(tables);
    }

    /** Last write wins here too: what is not among the rows is deleted as of the end of the snapshot. */
    void replaceTables(Map<RowKey, StoredRow> rows) {
        long newest = rows.values().stream().mapToLong(StoredRow::version).max().orElse(0);
        for (RowKey key : List.copyOf(tables.keySet())) {
            write(key, rows.getOrDefault(key, new StoredRow(newest, Row.ABSENT)));
        }
        rows.forEach(this::write);
    }

    /** Everything is gone. */
    void lose() {
        promises.clear();
        floors.clear();
        accepted.clear();
        generations.clear();
        done = Checkpoint.first(dcs);
        redo = null;
        installing = null;
        tables.clear();
        fence = 0;
        blank = true;
    }

    Recovery recover(long life) {
        if (blank) {
            return Recovery.blank(dcs, life);
        }
        List<AcceptorState> states = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        Map<Integer, Long> lives = new HashMap<>();
        for (int i = 0; i < dcs; i++) {
            states.add(new AcceptorState(
                    promises.getOrDefault(i, 0L),
                    floors.getOrDefault(i, 0L),
                    new ArrayList<>(accepted.getOrDefault(i, new TreeMap<>()).values())));
            Durable.Generation generation = generations.get(i);
            numbers.add(generation == null ? 1 : generation.generation());
            if (generation != null) {
                lives.put(i, generation.life());
            }
        }
        return new Recovery(life, numbers.get(self), numbers, lives, states, done, redo, installing != null);
    }
}
