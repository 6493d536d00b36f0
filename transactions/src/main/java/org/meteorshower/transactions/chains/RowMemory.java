/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.port.Turn;

/**
 * The rows in memory. A row is read from the store when somebody is about to need it; until then, and while it is being read,
 * nobody can change it, so what comes from the store is the newest. Rows that nobody needs and that are in their tables go.
 */
public final class RowMemory {
    private final Turn turn;
    private final int mostRows;
    private final Map<RowKey, RowState> states = new LinkedHashMap<>();
    private final TreeSet<RowKey> dirty = new TreeSet<>();
    private TreeSet<RowKey> wanted = new TreeSet<>();

    /** Counts how often the tables were replaced: what was read before that is worth nothing after it. */
    private long contents;

    public RowMemory(Turn turn, int mostRows) {
        this.turn = turn;
        this.mostRows = mostRows;
    }

    RowState state(RowKey key) {
        RowState state = states.get(key);
        if (state == null) {
            state = new RowState(key);
            states.put(key, state);
            wanted.add(key);
        }
        return state;
    }

    /** Begins to read rows that will be needed soon. */
    public void prefetch(SortedSet<RowKey> rows) {
        if (states.size() < 2 * mostRows) {
            rows.forEach(this::state);
        }
    }

    /** Asks for the rows that are to be read. To be called at the end of a step. */
    public void flush() {
        if (!wanted.isEmpty()) {
            turn.emit(new Effect.ReadRows(contents, wanted));
            wanted = new TreeSet<>();
        }
    }

    /** Rows that a crash left between the last checkpoint and the tables. */
    public void restore(Map<RowKey, StoredRow> rows) {
        new TreeMap<>(rows).forEach((key, row) -> {
            RowState state = new RowState(key);
            state.load(row);
            states.put(key, state);
        });
    }

    /** Returns the states of those that were waited for. */
    List<RowState> loaded(long ofContents, Map<RowKey, StoredRow> rows) {
        List<RowState> loaded = new ArrayList<>();
        if (ofContents != contents) {
            return loaded;
        }
        new TreeMap<>(rows).forEach((key, row) -> {
            RowState state = states.get(key);
            if (state != null && !state.isLoaded()) {
                state.load(row);
                loaded.add(state);
            }
        });
        return loaded;
    }

    void written(RowKey key) {
        dirty.add(key);
    }

    /** The rows that were written since they last became durable, as of a count. */
    public Map<RowKey, StoredRow> dirtyAsOf(long count) {
        Map<RowKey, StoredRow> rows = new TreeMap<>();
        for (RowKey key : dirty) {
            StoredRow row = state(key).asOf(count);
            if (row.version() > state(key).durableVersion()) {
                rows.put(key, row);
            }
        }
        return rows;
    }

    /** The tables hold these. */
    public void durable(Map<RowKey, StoredRow> rows) {
        rows.forEach((key, row) -> {
            RowState state = states.get(key);
            if (state != null) {
                state.durable(row.version());
                if (state.isClean()) {
                    dirty.remove(key);
                }
            }
        });
        Iterator<RowState> oldestFirst = states.values().iterator();
        while (states.size() > mostRows && oldestFirst.hasNext()) {
            if (oldestFirst.next().isIdle()) {
                oldestFirst.remove();
            }
        }
    }

    /** The tables hold something else now. */
    void clear() {
        states.clear();
        dirty.clear();
        wanted = new TreeSet<>();
        contents++;
    }
}
