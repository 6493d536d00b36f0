/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.History;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;

/**
 * A replica's store in the simulator: last write wins, per cell. What it holds survives crashes, as a commit log makes
 * it; but a mutation that the journal still keeps may be lost with a crash, since it is applied again from there.
 */
public final class CellStore {
    private final Map<PartitionKey, TreeMap<Integer, Cell>> partitions = new HashMap<>();

    /** What a crash leaves for certain; null where the store loses nothing. */
    private final @Nullable CellStore durable;

    private final Map<MutationName, CellUpdate> unsynced = new LinkedHashMap<>();

    /** @param forgets whether a crash may take what the journal still keeps */
    public CellStore(boolean forgets) {
        durable = forgets ? new CellStore(false) : null;
    }

    /** Applies what the journal does not keep: the commit log alone does. */
    public void apply(CellUpdate update) {
        absorb(update.key(), update.cells());
    }

    /** Whatever the table is called in the protocol, it is one table. */
    private static PartitionKey ofTable(PartitionKey key) {
        return key.table().equals(SimulatedNode.TABLE) ? key : new PartitionKey(SimulatedNode.TABLE, key.bytes());
    }

    boolean isEmpty() {
        return partitions.isEmpty();
    }

    private void merge(PartitionKey key, Map<Integer, Cell> more) {
        TreeMap<Integer, Cell> cells = partitions.computeIfAbsent(ofTable(key), k -> new TreeMap<>());
        more.forEach((cell, value) -> cells.merge(cell, value, Cell::latest));
    }

    /** Applies what the journal keeps. */
    void applyJournaled(CellUpdate update) {
        merge(update.key(), update.cells());
        if (durable != null) {
            unsynced.put(MutationName.of(update), update);
        }
    }

    /** The journal keeps this mutation no longer: what the store holds of it must last. */
    void sync(MutationName name) {
        CellUpdate update = unsynced.remove(name);
        if (update != null && durable != null) {
            durable.apply(update);
        }
    }

    /** @param keeps which of the mutations that may be lost are not */
    void crash(Predicate<MutationName> keeps) {
        if (durable == null) {
            return;
        }
        partitions.clear();
        durable.partitions.forEach(this::merge);
        for (Map.Entry<MutationName, CellUpdate> entry : unsynced.entrySet()) {
            if (keeps.test(entry.getKey())) {
                apply(entry.getValue());
            }
        }
        unsynced.clear();
    }

    /** Takes over whatever the other store holds, as a repair does. */
    void absorb(CellStore other) {
        other.partitions.forEach(this::merge);
        if (durable != null) {
            other.partitions.forEach(durable::merge);
        }
    }

    /** The same for one of so many parts of the partitions, and of these for those that are asked for. */
    void absorbPart(CellStore other, int part, int parts, Predicate<PartitionKey> asked) {
        other.partitions.forEach((key, cells) -> {
            if (Math.floorMod(key.hashCode(), parts) == part && asked.test(key)) {
                absorb(key, cells);
            }
        });
    }

    /** Takes over some cells, as a stream brings them; no crash takes them. */
    void absorb(PartitionKey key, Map<Integer, Cell> cells) {
        merge(key, cells);
        if (durable != null) {
            durable.merge(key, cells);
        }
    }

    /** What the store holds of a partition. */
    Map<Integer, Cell> partition(PartitionKey key) {
        TreeMap<Integer, Cell> cells = partitions.get(ofTable(key));
        return cells == null ? Map.of() : cells;
    }

    /** Whether it would hold the same with the update as without it. */
    boolean shows(CellUpdate update) {
        Map<Integer, Cell> held = partition(update.key());
        return update.cells().entrySet().stream().allMatch(each -> {
            Cell own = held.get(each.getKey());
            return own != null && own.equals(Cell.latest(own, each.getValue()));
        });
    }

    /** The content of the rows that the update touches. */
    public History historyFor(CellUpdate update) {
        TreeMap<Integer, Map<Integer, Cell>> rows = new TreeMap<>();
        for (int row : update.rows()) {
            rows.put(row, row(update.key(), row));
        }
        return new RowsHistory(rows);
    }

    /** A copy. */
    private Map<Integer, Cell> row(PartitionKey key, int row) {
        TreeMap<Integer, Cell> cells = partitions.get(ofTable(key));
        return cells == null ? new TreeMap<>() : new TreeMap<>(cells.subMap(row * 100, row * 100 + 100));
    }

    /** The rows {@code from} to {@code to} at a cut, with what the protocol puts over the store. */
    public Map<Integer, Cell> read(PartitionKey key, int from, int to, Effect.@Nullable Overlay overlay) {
        if (overlay == null && from == to) {
            return row(key, from);
        }
        TreeMap<Integer, Cell> result = new TreeMap<>();
        for (int row = from; row <= to; row++) {
            Map<Integer, Cell> before = overlay == null ? null : ((RowsHistory) overlay.history()).row(row);
            if (before == null || overlay == null) {
                result.putAll(row(key, row));
                continue;
            }
            TreeMap<Integer, Cell> content = new TreeMap<>(before);
            for (Update update : overlay.visible()) {
                for (Map.Entry<Integer, Cell> cell :
                        ((CellUpdate) update).cells().entrySet()) {
                    if (cell.getKey() / 100 == row) {
                        content.merge(cell.getKey(), cell.getValue(), Cell::latest);
                    }
                }
            }
            result.putAll(content);
        }
        return result;
    }
}
