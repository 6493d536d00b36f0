/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.Collection;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.History;
import org.meteorshower.protocol.Update;

/** Rows' earlier content in the simulator. Immutable. */
final class RowsHistory implements History {
    private final NavigableMap<Integer, Map<Integer, Cell>> rows;

    /** @param rows not to be changed any more */
    RowsHistory(NavigableMap<Integer, Map<Integer, Cell>> rows) {
        this.rows = rows;
    }

    @Override
    public String toString() {
        return "history" + rows;
    }

    @Nullable
    Map<Integer, Cell> row(int row) {
        return rows.get(row);
    }

    @Override
    public boolean covers(Update update) {
        return rows.keySet().containsAll(((CellUpdate) update).rows());
    }

    @Override
    public boolean coversRow(long row) {
        return rows.containsKey((int) row - 1);
    }

    @Override
    public long sizeBytes() {
        long bytes = 0;
        for (Map<Integer, Cell> row : rows.values()) {
            bytes += 64;
            for (Cell cell : row.values()) {
                bytes += cell.sizeBytes();
            }
        }
        return bytes;
    }

    @Override
    public History extendedBy(History later) {
        TreeMap<Integer, Map<Integer, Cell>> merged = new TreeMap<>(((RowsHistory) later).rows);
        merged.putAll(rows);
        return new RowsHistory(merged);
    }

    @Override
    public History absorbing(Update retired, Collection<Update> remaining) {
        TreeMap<Integer, Map<Integer, Cell>> kept = new TreeMap<>();
        for (Update update : remaining) {
            if (kept.size() == rows.size()) {
                break;
            }
            for (int row : ((CellUpdate) update).rows()) {
                Map<Integer, Cell> content = rows.get(row);
                if (content != null) {
                    kept.put(row, content);
                }
            }
        }
        CellUpdate gone = (CellUpdate) retired;
        for (int row : gone.rows()) {
            Map<Integer, Cell> changed = kept.computeIfPresent(row, (r, content) -> new TreeMap<>(content));
            if (changed != null) {
                gone.cells()
                        .subMap(row * 100, row * 100 + 100)
                        .forEach((cell, value) -> changed.merge(cell, value, Cell::latest));
            }
        }
        return new RowsHistory(kept);
    }
}
