/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.StoredRow;

/** Rows in memory, and who queues for them, for a server that executes for one range of rows. */
public final class QueuedRows {
    private final RowMemory memory;

    public QueuedRows(RowMemory memory) {
        this.memory = memory;
    }

    /** Whether so many bytes more may come with what is about to queue. */
    public boolean hasRoomFor(long newBytes) {
        return !memory.isBooked(newBytes);
    }

    /**
     * Queues for rows, all at once.
     *
     * @param times that what they hold is expected to be taken once more
     * @return what is expected, to be {@linkplain #met} at its end
     */
    public Expected enqueue(Queued who, Collection<RowKey> rows, int times) {
        rows.forEach(row -> memory.state(row).enqueue(who));
        Expected once = memory.expected(rows);
        Expected all = new Expected(once.bytes() * times, once.unread() * times);
        memory.expect(all);
        return all;
    }

    /** Whether it heads the queues of all these rows, and they are here. */
    public boolean heads(Queued who, Collection<RowKey> rows) {
        for (RowKey key : rows) {
            RowState state = memory.state(key);
            if (!who.equals(state.head()) || !state.isLoaded()) {
                return false;
            }
        }
        return true;
    }

    /** What rows hold that are here. */
    public Map<RowKey, Row> held(Collection<RowKey> rows) {
        Map<RowKey, Row> held = new TreeMap<>();
        rows.forEach(key -> held.put(key, memory.state(key).newest().row()));
        return held;
    }

    /**
     * Who heads the row's queue writes it.
     *
     * @param keepFrom rows are written behind as of this count or a later one
     * @param cut or as of this one
     */
    public void write(long version, RowKey key, Row row, long keepFrom, long cut) {
        memory.write(memory.state(key), version, row, keepFrom, cut);
    }

    /** It is done with the row. */
    public void leave(Queued who, RowKey row) {
        Queued.wakeAny(memory.state(row).leave(who));
    }

    /** What it was expected to write is written. */
    public void met(Expected expected) {
        memory.met(expected);
    }

    /** Rows have come. */
    public void loaded(int edition, Map<RowKey, StoredRow> rows) {
        memory.loaded(edition, rows).forEach(state -> Queued.wakeAny(state.head()));
    }
}
