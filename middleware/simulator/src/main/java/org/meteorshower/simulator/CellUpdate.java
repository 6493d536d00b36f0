/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;

/** A mutation in the simulator: some cells of a partition. A cell's number is row * 100 + column. */
public final class CellUpdate implements Update {
    private final PartitionKey key;
    private final TreeMap<Integer, Cell> cells;
    private final NavigableSet<Integer> rows = new TreeSet<>();
    private final MutationId id;
    private final long oldestTimestampMicros;
    private final long shape;
    private final int sizeBytes;

    /** @param cells not empty; by cell number */
    public CellUpdate(PartitionKey key, Map<Integer, Cell> cells) {
        this.key = key;
        this.cells = new TreeMap<>(cells);
        long oldest = Long.MAX_VALUE;
        long latest = Long.MIN_VALUE;
        long digest = 0;
        long bits = 0;
        long size = 0;
        for (Map.Entry<Integer, Cell> cell : this.cells.entrySet()) {
            rows.add(cell.getKey() / 100);
            bits |= 1L << (cell.getKey() / 100 * 8 + cell.getKey() % 100); // one bit a cell: rows 0 to 7 of 8 columns
            oldest = Math.min(oldest, cell.getValue().timestampMicros());
            latest = Math.max(latest, cell.getValue().timestampMicros());
            digest = 31 * (31 * digest + cell.getKey()) + cell.getValue().timestampMicros();
            digest = 31 * digest + Objects.hashCode(cell.getValue().value());
            size += cell.getValue().sizeBytes();
        }
        this.oldestTimestampMicros = oldest;
        this.shape = bits;
        this.sizeBytes = (int) Math.min(Integer.MAX_VALUE, size);
        this.id = new MutationId(latest, digest);
    }

    /** The same cells and values with another timestamp. */
    public CellUpdate at(long timestampMicros) {
        TreeMap<Integer, Cell> changed = new TreeMap<>(cells);
        changed.replaceAll((cell, value) -> new Cell(timestampMicros, value.value()));
        return new CellUpdate(key, changed);
    }

    /** The same mutation of a table that has another name. */
    CellUpdate named(UUID table) {
        return key.table().equals(table) ? this : new CellUpdate(new PartitionKey(table, key.bytes()), cells);
    }

    public NavigableMap<Integer, Cell> cells() {
        return cells;
    }

    NavigableSet<Integer> rows() {
        return rows;
    }

    @Override
    public PartitionKey key() {
        return key;
    }

    @Override
    public MutationId id() {
        return id;
    }

    @Override
    public long oldestTimestampMicros() {
        return oldestTimestampMicros;
    }

    @Override
    public long shape() {
        return shape;
    }

    @Override
    public long row() {
        return rows.size() == 1 ? rowHash(rows.first()) : ANY_ROW;
    }

    /** What {@link #row} tells for an update of this row alone. */
    public static long rowHash(int row) {
        return row + 1L;
    }

    @Override
    public int sizeBytes() {
        return sizeBytes;
    }

    @Override
    public String toString() {
        return key + "@" + id.timestampMicros() + cells;
    }
}
