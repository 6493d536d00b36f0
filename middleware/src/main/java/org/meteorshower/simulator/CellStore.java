/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.History;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Update;

/** A replica's store in the simulator: last write wins, per cell. Survives crashes, as a commit log would make it. */
final class CellStore {
    private final Map<PartitionKey, TreeMap<Integer, Cell>> partitions = new HashMap<>();

    void apply(CellUpdate update) {
        TreeMap<Integer, Cell> cells = partitions.computeIfAbsent(update.key(), k -> new TreeMap<>());
        update.cells().forEach((cell, value) -> cells.merge(cell, value, Cell::latest));
    }

    /** Takes over whatever the other store holds, as a repair does. */
    void absorb(CellStore other) {
        other.partitions.forEach((key, cells) -> {
            TreeMap<Integer, Cell> mine = partitions.computeIfAbsent(key, k -> new TreeMap<>());
            cells.forEach((cell, value) -> mine.merge(cell, value, Cell::latest));
        });
    }

    History historyFor(CellUpdate update) {
        TreeMap<Integer, Map<Integer, Cell>> rows = new TreeMap<>();
        for (int row : update.rows()) {
            rows.put(row, new TreeMap<>(row(update.key(), row)));
        }
        return new RowsHistory(rows);
    }

    Map<Integer, Cell> row(PartitionKey key, int row) {
        TreeMap<Integer, Cell> cells = partitions.get(key);
        return cells == null ? Map.of() : new TreeMap<>(cells.subMap(row * 100, row * 100 + 100));
    }

    /** The rows {@code from} to {@code to} at a cut, with what the protocol puts over the store. */
    Map<Integer, Cell> read(PartitionKey key, int from, int to, Effect.@Nullable Overlay overlay) {
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
