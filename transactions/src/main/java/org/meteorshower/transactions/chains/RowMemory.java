/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;

/**
 * The rows in memory. A row is read from the store when somebody is about to need it; until then, and while it is being
 * read, nobody can change it, so what the store holds as of what is written behind is the newest. Rows that nobody
 * needs and that are in their tables go, the longest unused first, when there are too many or they take too much.
 */
public final class RowMemory {
    /** Rows that are looked at in one step for some that can go. */
    private static final int MOST_LOOKED_AT = 512;

    /** Of what rows may take, what may be noted of those that are absent: more have to be looked for in the tables. */
    private static final int PART_FOR_ABSENT = 32;

    /** Absent rows that are read or forgotten with one cut, if it does not write more itself. */
    private static final int MOST_FORGOTTEN = 500;

    /** So many for each row that it writes: however many are deleted, they are forgotten as fast. */
    private static final int FORGOTTEN_PER_WRITE = 2;

    private final Consumer<? super Effect.ReadRows> reads;
    private final int mostRows;
    private final long mostBytes;

    /** The longest unused first. */
    private final Map<RowKey, RowState> states = new LinkedHashMap<>(64, 0.75f, true);

    private final TreeSet<RowKey> dirty = new TreeSet<>();
    private final Absences absences;
    private final RowLoads loads;

    /** By transactions that are under way: each row once for each. */
    private Expected expected = Expected.NOTHING;

    private long bytes;
    private long dirtyBytes;

    /** Of the rows in the store. What was read of another one is worth nothing. */
    private int edition;

    /** So many merged entries' writes the tables hold. */
    private long written;

    public RowMemory(Consumer<? super Effect.ReadRows> reads, int mostRows, long mostBytes, int edition, long written) {
        this.reads = reads;
        this.mostRows = mostRows;
        this.mostBytes = mostBytes;
        this.loads = new RowLoads(most(mostBytes));
        this.edition = edition;
        this.written = written;
        this.absences = new Absences(mostBytes / PART_FOR_ABSENT, written);
    }

    RowState state(RowKey key) {
        RowState state = states.get(key);
        if (state == null) {
            state = new RowState(key);
            states.put(key, state);
            loads.want(key);
            bytes += state.weight();
        }
        return state;
    }

    /** Keys of the range whose rows were written and are maybe not in the tables yet. */
    List<RowKey> dirty(Range range) {
        List<RowKey> keys = new ArrayList<>();
        for (RowKey key : range.partition().part(dirty)) {
            if (range.contains(key)) {
                keys.add(key);
            }
        }
        return keys;
    }

    long mostBytes() {
        return mostBytes;
    }

    public int edition() {
        return edition;
    }

    /** About how many bytes of heap the rows take. */
    public long bytes() {
        return bytes + absences.bytes();
    }

    /** Of those that are to be written behind, about. */
    public long dirtyBytes() {
        return dirtyBytes;
    }

    public boolean isDirty() {
        return !dirty.isEmpty();
    }

    /** Whether more must not be taken in. Rows that are written behind make room. */
    public boolean isFull() {
        return bytes() > most(mostBytes);
    }

    /** What is under way brings more: each row's old and new version. */
    private static long most(long mostBytes) {
        return mostBytes - mostBytes / 4;
    }

    /** What the rows take that a request names. */
    public Expected expected(Request request) {
        return expected(Requests.knownRows(request));
    }

    Expected expected(Collection<RowKey> rows) {
        long known = 0;
        int unread = 0;
        for (RowKey row : rows) {
            RowState state = states.get(row);
            if (state != null && state.isLoaded()) {
                known += state.newestWeight();
            } else {
                unread++;
            }
        }
        return new Expected(known, unread);
    }

    /** A transaction is going to write these. */
    void expect(Expected rows) {
        expected = expected.plus(rows);
    }

    /** It is done. */
    void met(Expected rows) {
        expected = expected.minus(rows);
    }

    /** What is going to be written of rows that are there, hardly ever more. */
    long expectedBytes() {
        return expected.bytes() + loads.bytes(expected.unread());
    }

    /** Whether rows that are read, are to be, or are going to be written, take all that is left. */
    public boolean isBooked() {
        return isBooked(0);
    }

    /** The same, and so much that is new. */
    boolean isBooked(long newBytes) {
        return bytes() + expected.bytes() + loads.expectedBytes(expected.unread()) + newBytes > most(mostBytes);
    }

    /** Whether rows are more than one entry should name: they are written, and go, together. */
    public boolean areMany(Expected rows) {
        return loads.areMany(rows);
    }

    /** Begins to read rows that will be needed soon. */
    public void prefetch(SortedSet<RowKey> rows) {
        if (states.size() < 2 * mostRows && !isBooked()) {
            rows.forEach(this::state);
        }
    }

    /**
     * Asks for rows that are to be read, as far as there is room for them, and lets others go. To be called at the end
     * of a step.
     *
     * @param count of merged entries that are executed without a gap
     * @param first the rows that the first transaction behind them needs: without them nothing will make room
     */
    public void flush(long count, Supplier<List<RowKey>> first) {
        flushOr(count, () -> loads.anyway(first.get()));
    }

    /** The same where the first transaction may wait for others than its rows: then none is read in vain. */
    public void flush(long count, Collection<RowKey> first) {
        flushOr(count, () -> loads.anyOf(first));
    }

    private void flushOr(long count, Supplier<SortedSet<RowKey>> anyway) {
        letGo(MOST_LOOKED_AT);
        SortedSet<RowKey> next = loads.next(bytes());
        boolean makesRoom = isDirty() && written < count; // once it is written behind
        if (next.isEmpty() && isShort() && !makesRoom) {
            next = anyway.get();
        }
        if (!next.isEmpty()) {
            reads.accept(new Effect.ReadRows(edition, Version.endOf(written), next));
        }
    }

    public boolean isShort() {
        return loads.isStuck();
    }

    /** Of these nothing was found that can be believed: they are read once more. */
    public void readAgain(Collection<RowKey> rows) {
        rows.forEach(loads::again);
    }

    /** Returns the states of those that were waited for. */
    List<RowState> loaded(int ofEdition, Map<RowKey, StoredRow> rows) {
        List<RowState> loaded = new ArrayList<>();
        if (ofEdition != edition) {
            return loaded;
        }
        new TreeMap<>(rows).forEach((key, row) -> {
            RowState state = states.get(key);
            if (state != null && !state.isLoaded()) {
                bytes -= state.weight();
                state.load(row);
                bytes += state.weight();
                loads.loaded(key, state.weight());
                loaded.add(state);
            }
        });
        return loaded;
    }

    /** A chain writes a row. Versions go that nobody reads as of {@code keepFrom} or later, or of a cut before. */
    void write(RowState state, long version, Row row, long keepFrom, long cut) {
        absences.forget(state.key);
        bytes += state.write(version, row, keepFrom, cut);
        dirtyBytes += state.newestWeight();
        dirty.add(state.key);
    }

    /**
     * The rows that were written since they last became durable, as of a count.
     *
     * @param nobodyBefore nobody reads the tables as of an earlier count than this one
     * @param lookedAtBelow rows that were due earlier may have been looked at already ({@link RowWrite#due})
     */
    public List<RowWrite> unwritten(long count, long nobodyBefore, long lookedAtBelow) {
        List<RowWrite> rows = new ArrayList<>(dirty.size());
        for (RowKey key : dirty) {
            RowWrite row = state(key).unwritten(count, nobodyBefore, lookedAtBelow);
            if (row != null) {
                rows.add(row);
            }
        }
        dirtyBytes = 0; // what is written from now on
        forget(nobodyBefore, rows);
        return rows;
    }

    /**
     * Rows that are absent leave no trace, once nobody reads as of before. Who gets a snapshot without such a row has
     * to see that his users' table loses it, too ({@link Effect.ForgetEditions}).
     */
    private void forget(long nobodyBefore, List<RowWrite> rows) {
        int most = Math.max(MOST_FORGOTTEN, FORGOTTEN_PER_WRITE * rows.size());
        for (RowKey key : absences.before(Version.endOf(nobodyBefore), most)) {
            RowState state = states.get(key);
            if (state == null) {
                state(key); // Somebody could be reading it into memory: it is forgotten with a later cut.
            } else if (state.isLoaded()) {
                RowWrite purge = state.purge(absences.since(key));
                if (purge != null) {
                    rows.add(purge);
                }
                absences.forget(key);
            }
        }
    }

    /** Whether some absent row leaves a trace that nobody needs. */
    public boolean hasToForget(long nobodyBefore) {
        return !absences.before(Version.endOf(nobodyBefore), 1).isEmpty();
    }

    /** The tables hold that the row is absent, since a version. */
    public void isAbsent(RowKey key, long version) {
        absences.note(key, version);
    }

    /** Whether more rows can be noted as absent. */
    public boolean hasRoomForAbsent() {
        return absences.hasRoom();
    }

    /**
     * The newest version of an absent row that is to be looked for in the tables, since the last time; 0 where there is
     * none.
     */
    public long missedVersion() {
        return absences.missedVersion();
    }

    /** They are being looked for now. */
    public void lookingForMissed() {
        absences.lookingForMissed();
    }

    /**
     * When the first of these rows is looked at for what has ended, as far as something of them ends; {@link Row#NEVER}
     * where nothing does.
     */
    public long firstDue(List<RowWrite> rows) {
        long first = Row.NEVER;
        for (RowWrite row : rows) {
            RowState state = states.get(row.key());
            first = state == null ? first : Math.min(first, state.dueWith(row));
        }
        return first;
    }

    /** Whether, as far as is known here, something of the row has ended by then. */
    public boolean mayHaveEnded(RowKey key, long byMillis) {
        RowState state = states.get(key);
        return state == null || !state.isLoaded() || state.newest().row().endsFirst() <= byMillis;
    }

    /** The tables hold these, and so all that was written up to a count. */
    public void durable(List<RowWrite> rows, long count) {
        written = count;
        for (RowWrite row : rows) {
            RowState state = states.get(row.key());
            if (state != null && row.isPurge()) {
                state.purged();
            } else if (state != null) {
                state.durable(row.row(), row.due());
                if (state.isClean()) {
                    dirty.remove(row.key());
                    if (!state.newest().row().exists()) {
                        isAbsent(row.key(), state.newest().version());
                    }
                }
            }
        }
        letGo(Integer.MAX_VALUE);
    }

    private void letGo(int look) {
        if (states.size() <= mostRows && bytes <= mostBytes / 2) {
            return;
        }
        Iterator<RowState> oldestFirst = states.values().iterator();
        for (int left = look;
                left > 0 && (states.size() > mostRows || bytes > mostBytes / 2) && oldestFirst.hasNext();
                left--) {
            RowState state = oldestFirst.next();
            if (state.isIdle()) {
                bytes -= state.weight();
                oldestFirst.remove();
            }
        }
    }

    /** The tables hold something else now. */
    public void jump(int toEdition, long count) {
        states.clear();
        dirty.clear();
        absences.jump(count);
        loads.clear();
        expected = Expected.NOTHING;
        bytes = 0;
        dirtyBytes = 0;
        edition = toEdition;
        written = count;
    }
}
