/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Weight;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;

/** A row in memory: its newest versions, and the queue of chains that will visit it, in merged order. */
final class RowState {
    private static final int STATE_WEIGHT = 296;
    private static final int VERSION_WEIGHT = 32;

    final RowKey key;

    /** Ascending. Empty until the row has been read from the store. */
    private final ArrayDeque<StoredRow> versions = new ArrayDeque<>();

    private final ArrayDeque<Queued> queue = new ArrayDeque<>();

    /** How many snapshot reads need the row. */
    int pins;

    /** What the tables hold is no older than this. */
    private long durableVersion;

    /**
     * The newest version that the tables hold, 0 for none: {@link #durableVersion}, unless that has gone from them.
     * Negative where they do not hold that it exists: then they do not tell its key.
     */
    private long inTables;

    /**
     * When it is looked at next for what has ended, as far as the tables tell ({@link RowWrite#due}); 0 where they do
     * not.
     */
    private long due;

    /**
     * What it was before any transaction wrote it, until that is kept beside what they wrote; null where it was absent.
     */
    private @Nullable Row base;

    /** About how many bytes of heap its versions take. */
    private long versionsWeight;

    /** The same of the newest one alone. */
    private int newestWeight;

    RowState(RowKey key) {
        this.key = key;
    }

    boolean isLoaded() {
        return !versions.isEmpty();
    }

    /** What the store holds. Ignored where it is known already. */
    void load(StoredRow stored) {
        if (versions.isEmpty()) {
            add(stored);
            durableVersion = stored.version();
            inTables = isTold(stored) ? durableVersion : -durableVersion;
            due = stored.row().endsFirst() == Row.NEVER ? 0 : stored.row().endsFirst();
            base = stored.version() == 0 && stored.row().exists() ? stored.row() : null;
        }
    }

    /** Of what users had the edition tells nothing; of what is absent it may have forgotten the key, and not it. */
    private static boolean isTold(StoredRow stored) {
        return stored.version() > 0 && stored.row().exists();
    }

    StoredRow newest() {
        return versions.getLast();
    }

    /** The row as it was when so many merged entries had been executed. */
    StoredRow asOf(long count) {
        for (Iterator<StoredRow> newestFirst = versions.descendingIterator(); newestFirst.hasNext(); ) {
            StoredRow version = newestFirst.next();
            if (version.version() < Version.endOf(count)) {
                return version;
            }
        }
        throw new IllegalStateException("row " + key + " as of " + count + " is not kept: the oldest version is "
                + versions.getFirst().version());
    }

    /**
     * Adds a version, and forgets those that nobody can read who reads as of a count, a later one, or a cut. Returns
     * about how many bytes of heap more the versions take than before.
     */
    long write(long version, Row row, long count, long cut) {
        if (version <= newest().version()) {
            throw new IllegalStateException(
                    "row " + key + " is written at version " + version + " after version " + newest().version());
        }
        long before = versionsWeight;
        int previousWeight = newestWeight;
        add(new StoredRow(version, row));
        forgetBefore(count, cut, previousWeight);
        return versionsWeight - before;
    }

    /** What the two newest ones weigh is known: where none but these is left, nothing is weighed anew. */
    private void forgetBefore(long count, long cut, int previousWeight) {
        StoredRow atCut = null;
        StoredRow oldest = versions.removeFirst();
        for (StoredRow next = versions.peekFirst();
                next != null && next.version() < Version.endOf(count);
                next = versions.peekFirst()) {
            if (oldest.version() < Version.endOf(cut) && next.version() >= Version.endOf(cut)) {
                atCut = oldest;
            } else if (versions.size() > 2 || atCut != null) {
                versionsWeight -= weight(oldest);
            } else {
                versionsWeight = versions.size() == 1 ? newestWeight : (long) newestWeight + previousWeight;
            }
            oldest = versions.removeFirst();
        }
        versions.addFirst(oldest);
        if (atCut != null) {
            versions.addFirst(atCut);
        }
    }

    private void add(StoredRow version) {
        versions.add(version);
        newestWeight = weight(version);
        versionsWeight += newestWeight;
    }

    private static int weight(StoredRow version) {
        return VERSION_WEIGHT + Weight.of(version.row());
    }

    /** About how many bytes of heap its newest version takes. */
    int newestWeight() {
        return newestWeight;
    }

    /** About how many bytes of heap it takes. */
    long weight() {
        return STATE_WEIGHT + Weight.of(key) + versionsWeight;
    }

    /**
     * What is to be written behind, as of a count; null where the tables have it.
     *
     * @param nobodyBefore nobody reads the tables as of an earlier count than this one
     * @param lookedAtBelow rows that were due earlier may have been looked at already, in milliseconds
     */
    @Nullable
    RowWrite unwritten(long count, long nobodyBefore, long lookedAtBelow) {
        StoredRow row = asOf(count);
        if (row.version() <= durableVersion) {
            return null;
        }
        long held = Math.abs(inTables);
        boolean isNeeded = held >= Version.endOf(nobodyBefore);
        boolean isNew = row.row().exists() && inTables <= 0;
        return new RowWrite(
                key,
                row,
                inTables,
                durableVersion == 0 ? base : null,
                isNeeded ? 0 : held,
                isNew,
                due(row.row(), lookedAtBelow));
    }

    /** It is enough that it is looked at earlier than it ends: then it is noted anew. */
    private long due(Row row, long lookedAtBelow) {
        long ends = row.endsFirst();
        boolean isNoted = due >= lookedAtBelow && due <= ends && due != 0;
        return ends == Row.NEVER || isNoted ? RowWrite.NOT_DUE : Math.max(ends, lookedAtBelow);
    }

    /** When it is looked at, as the tables tell, or are going to with this write; {@link Row#NEVER} for never. */
    long dueWith(RowWrite write) {
        return write.due() != RowWrite.NOT_DUE
                ? write.due()
                : write.row().row().endsFirst() == Row.NEVER ? Row.NEVER : due;
    }

    /** Takes a row away that is absent in the tables and needs no trace there; null where it is not so any more. */
    @Nullable
    RowWrite purge(long version) {
        return newest().version() == version && durableVersion == version
                ? new RowWrite(key, newest(), 0, null, version + 1)
                : null;
    }

    /** The tables have no trace of it any more. */
    void purged() {
        inTables = 0;
    }

    void durable(StoredRow row, long lookedAt) {
        if (lookedAt != RowWrite.NOT_DUE) {
            due = lookedAt;
        }
        boolean exists = row.version() >= durableVersion ? isTold(row) : inTables > 0;
        durableVersion = Math.max(durableVersion, row.version());
        inTables = exists ? durableVersion : -durableVersion;
        if (durableVersion > 0) {
            base = null;
        }
    }

    boolean isClean() {
        return versions.isEmpty() || newest().version() <= durableVersion;
    }

    /** Whether nobody needs it in memory. */
    boolean isIdle() {
        return isLoaded() && isClean() && queue.isEmpty() && pins == 0;
    }

    void enqueue(Queued who) {
        queue.add(who);
    }

    /** Whose turn it is. */
    @Nullable
    Queued head() {
        return queue.peek();
    }

    /** It is done with the row. Returns whose turn it is now, null where that has not changed. */
    @Nullable
    Queued leave(Queued who) {
        if (queue.peek() == who) {
            queue.poll();
            return queue.peek();
        }
        queue.remove(who);
        return null;
    }
}
