/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.StoredRow;

/**
 * Rows in memory, who queues for them and for partitions, and who gathers rows there, for a server that executes for
 * one range of rows.
 */
public final class QueuedRows {
    private final RowMemory memory;
    private final PartitionQueues partitions = new PartitionQueues();
    private final TurnReads reads;

    /** @param keys told which keys are to be read: to be answered by {@link #keysRead} */
    public QueuedRows(RowMemory memory, Consumer<? super Effect.ReadKeys> keys) {
        this.memory = memory;
        this.reads = new TurnReads(keys, memory);
    }

    /** Whether so many bytes more may come with what is about to queue. */
    public boolean hasRoomFor(long newBytes) {
        return !memory.isBooked(newBytes);
    }

    /** About how many bytes of heap it takes to know which rows there are, besides what the rows take. */
    public long bytes() {
        return reads.bytes();
    }

    /**
     * Queues for what it touches, all at once.
     *
     * @param times that what its rows hold is expected to be taken once more
     * @param before those that queue already, in merged order
     * @return what is expected, to be {@linkplain #met} at its end
     */
    public Expected enqueue(Claiming who, int times, Supplier<? extends List<? extends Claiming>> before) {
        List<RowKey> rows = who.touches().rows();
        partitions.enqueue(who, before);
        rows.forEach(row -> memory.state(row).enqueue(who));
        Expected once = memory.expected(rows);
        Expected all = new Expected(once.bytes() * times, once.unread() * times);
        memory.expect(all);
        return all;
    }

    /** Whether nobody before it stands in its way, and the rows that it names are here. */
    public boolean heads(Claiming who) {
        if (!partitions.admits(who)) {
            return false;
        }
        for (RowKey key : who.touches().rows()) {
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
     * Whether it has gathered what it looks for. If not, it is woken when it may get on.
     *
     * @param anyway whether it need not wait until others have gathered
     */
    public boolean gathered(Gatherer who, boolean anyway) {
        return reads.gathered(who, anyway);
    }

    /** Whether it waits until others have gathered. */
    public boolean waitsToGather(Gatherer who) {
        return reads.isLater(who);
    }

    /** The rows that it waits for besides those that it names. */
    public List<RowKey> gathering(Gatherer who) {
        return reads.rows(who);
    }

    /** What it has gathered need not stay in memory. */
    public void letGo(Gatherer who) {
        Queued.wakeAny(reads.end(who));
    }

    /**
     * Who heads the row's queue, or has its partition to itself and has gathered it, writes it.
     *
     * @param keepFrom rows are written behind as of this count or a later one
     * @param cut or as of this one
     */
    public void write(long version, RowKey key, Row row, long keepFrom, long cut) {
        memory.write(memory.state(key), version, row, keepFrom, cut);
        reads.written(key, row);
    }

    /** It is done with the row. */
    public void leave(Queued who, RowKey row) {
        Queued.wakeAny(memory.state(row).leave(who));
    }

    /** It is done with all, also with the partitions that it touched. */
    public void end(Gatherer who) {
        letGo(who);
        partitions.leave(who);
    }

    /** What it was expected to write is written. */
    public void met(Expected expected) {
        memory.met(expected);
    }

    /** Rows have come. */
    public void loaded(int edition, Map<RowKey, StoredRow> rows) {
        memory.loaded(edition, rows).forEach(state -> Queued.wakeAny(state.head()));
        reads.waiting().forEach(Queued::wake);
    }

    /** Keys of rows that may be in a range have come. */
    public void keysRead(long request, List<RowKey> keys, boolean more) {
        Queued.wakeAny(reads.keysRead(request, keys, more));
    }

    /** The tables hold something else now, and nobody queues. */
    public void jump() {
        partitions.clear();
        reads.jump();
    }
}
