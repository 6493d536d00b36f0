/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.ArrayDeque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.StoredRow;

/** A row in memory: its newest versions, and the queue of chains that will visit it, in merged order. */
final class RowState {
    final RowKey key;

    /** Ascending. Empty until the row has been read from the store. */
    private final ArrayDeque<StoredRow> versions = new ArrayDeque<>();

    private final ArrayDeque<Chain> queue = new ArrayDeque<>();

    /** How many snapshot reads need the row. */
    int pins;

    /** What the tables hold is no older than this. */
    private long durableVersion;

    RowState(RowKey key) {
        this.key = key;
    }

    boolean isLoaded() {
        return !versions.isEmpty();
    }

    /** What the store holds. Ignored where it is known already. */
    void load(StoredRow stored) {
        if (versions.isEmpty()) {
            versions.add(stored);
            durableVersion = stored.version();
        }
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

    void write(long version, Row row) {
        if (version <= newest().version()) {
            throw new IllegalStateException(
                    "row " + key + " is written at version " + version + " after version " + newest().version());
        }
        versions.add(new StoredRow(version, row));
    }

    /** Forgets versions that nobody can read who reads as of this count or a later one. */
    void forgetBefore(long count) {
        while (versions.size() > 1) {
            StoredRow oldest = versions.removeFirst();
            if (versions.getFirst().version() >= Version.endOf(count)) {
                versions.addFirst(oldest);
                return;
            }
        }
    }

    void durable(long version) {
        durableVersion = Math.max(durableVersion, version);
    }

    long durableVersion() {
        return durableVersion;
    }

    boolean isClean() {
        return versions.isEmpty() || newest().version() <= durableVersion;
    }

    /** Whether nobody needs it in memory. */
    boolean isIdle() {
        return isLoaded() && isClean() && queue.isEmpty() && pins == 0;
    }

    void enqueue(Chain chain) {
        queue.add(chain);
    }

    /** The chain whose turn it is. */
    @Nullable
    Chain head() {
        return queue.peek();
    }

    /** The chain is done with the row. Returns the chain whose turn it is now, null where that has not changed. */
    @Nullable
    Chain leave(Chain chain) {
        if (queue.peek() == chain) {
            queue.poll();
            return queue.peek();
        }
        queue.remove(chain);
        return null;
    }
}
