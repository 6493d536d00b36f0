/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/**
 * A mutation in the tests: some cells of a partition. A cell is named by its row's number and its column, as in "1.v".
 */
final class Put implements Update {
    static final UUID TABLE = new UUID(0, 1);
    static final PartitionKey KEY = key(1);

    private final PartitionKey key;
    private final long timestampMicros;
    private final NavigableMap<String, String> cells;

    private Put(PartitionKey key, long timestampMicros, Map<String, String> cells) {
        this.key = key;
        this.timestampMicros = timestampMicros;
        this.cells = new TreeMap<>(cells);
    }

    static PartitionKey key(int number) {
        return new PartitionKey(TABLE, new byte[] {(byte) number});
    }

    /** Writes the only column of row 1. */
    static Put of(long timestampMicros, String value) {
        return of(KEY, timestampMicros, Map.of("1.v", value));
    }

    static Put of(PartitionKey key, long timestampMicros, Map<String, String> cells) {
        return new Put(key, timestampMicros, cells);
    }

    /** The same, where the table goes by another name. */
    Put named(UUID table) {
        return of(new PartitionKey(table, key.bytes()), timestampMicros, cells);
    }

    static long rowHash(int row) {
        return row;
    }

    NavigableMap<String, String> cells() {
        return cells;
    }

    Set<Integer> rows() {
        Set<Integer> rows = new TreeSet<>();
        cells.keySet().forEach(cell -> rows.add(rowOf(cell)));
        return rows;
    }

    static int rowOf(String cell) {
        return Integer.parseInt(cell.substring(0, cell.indexOf('.')));
    }

    @Override
    public PartitionKey key() {
        return key;
    }

    @Override
    public MutationId id() {
        return new MutationId(timestampMicros, cells.hashCode());
    }

    @Override
    public long oldestTimestampMicros() {
        return timestampMicros;
    }

    @Override
    public long shape() {
        return cells.keySet().hashCode();
    }

    @Override
    public long row() {
        Set<Integer> rows = rows();
        return rows.size() == 1 ? rowHash(rows.iterator().next()) : ANY_ROW;
    }

    @Override
    public int sizeBytes() {
        return 64 + cells.values().stream().mapToInt(String::length).sum();
    }

    @Override
    public String toString() {
        return cells.toString();
    }
}
