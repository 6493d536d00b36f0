/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;

/** A mutation in the simulator: some cells of a partition. A cell's number is row * 100 + column. */
final class CellUpdate implements Update {
    private final PartitionKey key;
    private final TreeMap<Integer, Cell> cells;
    private final MutationId id;

    CellUpdate(PartitionKey key, Map<Integer, Cell> cells) {
        this.key = key;
        this.cells = new TreeMap<>(cells);
        long timestamp =
                cells.values().stream().mapToLong(Cell::timestampMicros).max().orElseThrow();
        this.id = new MutationId(timestamp, this.cells.toString().hashCode());
    }

    /** The same cells and values with another timestamp. */
    CellUpdate at(long timestampMicros) {
        TreeMap<Integer, Cell> changed = new TreeMap<>(cells);
        changed.replaceAll((cell, value) -> new Cell(timestampMicros, value.value()));
        return new CellUpdate(key, changed);
    }

    Map<Integer, Cell> cells() {
        return cells;
    }

    NavigableSet<Integer> rows() {
        NavigableSet<Integer> rows = new TreeSet<>();
        cells.keySet().forEach(cell -> rows.add(cell / 100));
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
        return cells.values().stream().mapToLong(Cell::timestampMicros).min().orElseThrow();
    }

    @Override
    public long shape() {
        // One bit a cell: rows 0 to 7 of 8 columns.
        long shape = 0;
        for (int cell : cells.keySet()) {
            shape |= 1L << (cell / 100 * 8 + cell % 100);
        }
        return shape;
    }

    @Override
    public long row() {
        NavigableSet<Integer> rows = rows();
        return rows.size() == 1 ? rowHash(rows.first()) : ANY_ROW;
    }

    static long rowHash(int row) {
        return row + 1L;
    }

    @Override
    public int sizeBytes() {
        return 64 * cells.size();
    }

    @Override
    public String toString() {
        return key + "@" + id.timestampMicros() + cells;
    }
}
