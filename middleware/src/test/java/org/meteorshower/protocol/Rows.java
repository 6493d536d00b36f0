/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Collection;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Content of some rows in the tests, last write wins per cell: a node's store, and the history taken from it. */
final class Rows implements History {
    private record Cell(long timestampMicros, String value) {
        Cell or(Cell other) {
            return other.timestampMicros > timestampMicros
                            || (other.timestampMicros == timestampMicros && other.value.compareTo(value) > 0)
                    ? other
                    : this;
        }
    }

    private final Set<Integer> kept = new TreeSet<>();
    private final TreeMap<String, Cell> cells = new TreeMap<>();

    void apply(Put put) {
        put.cells().forEach((cell, value) -> {
            kept.add(Put.rowOf(cell));
            cells.merge(cell, new Cell(put.id().timestampMicros(), value), Cell::or);
        });
    }

    @Override
    public long sizeBytes() {
        return 64L * cells.size();
    }

    Rows only(Set<Integer> rows) {
        Rows copy = new Rows();
        copy.kept.addAll(rows);
        cells.forEach((cell, content) -> {
            if (rows.contains(Put.rowOf(cell))) {
                copy.cells.put(cell, content);
            }
        });
        return copy;
    }

    void merge(Rows other) {
        kept.addAll(other.kept);
        other.cells.forEach((cell, content) -> cells.merge(cell, content, Cell::or));
    }

    /** The row's only cell's value, or all its cells; "nothing" where there is none. */
    String row(int row) {
        TreeMap<String, String> found = new TreeMap<>();
        cells.forEach((cell, content) -> {
            if (Put.rowOf(cell) == row) {
                found.put(cell.substring(cell.indexOf('.') + 1), content.value);
            }
        });
        return found.isEmpty() ? "nothing" : found.size() == 1 && found.containsKey("v") ? found.get("v") : "" + found;
    }

    /** What a read sees of a row: the store's content, or what the protocol puts over it. */
    static String read(Rows store, Effect.Overlay overlay, int row) {
        if (overlay == null || !((Rows) overlay.history()).kept.contains(row)) {
            return store.row(row);
        }
        Rows content = ((Rows) overlay.history()).only(Set.of(row));
        overlay.visible().forEach(update -> content.apply((Put) update));
        return content.row(row);
    }

    @Override
    public boolean covers(Update update) {
        return kept.containsAll(((Put) update).rows());
    }

    @Override
    public boolean coversRow(long row) {
        return kept.contains((int) row);
    }

    @Override
    public History extendedBy(History later) {
        Rows all = only(kept);
        Set<Integer> added = new TreeSet<>(((Rows) later).kept);
        added.removeAll(kept);
        all.merge(((Rows) later).only(added));
        return all;
    }

    @Override
    public History absorbing(Update retired, Collection<Update> remaining) {
        Set<Integer> needed = new TreeSet<>();
        remaining.forEach(update -> needed.addAll(((Put) update).rows()));
        needed.retainAll(kept);
        Rows all = only(kept);
        all.apply((Put) retired);
        return all.only(needed);
    }
}
