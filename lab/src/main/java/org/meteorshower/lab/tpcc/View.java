/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows that a unit has read so far and what it would write. {@link Logic} runs on it as often as it takes: where a
 * row is not there yet it stops, the store gets all that was wanted, and it runs once more. For one thread.
 */
public final class View {
    private final Map<Key, @Nullable Row> read = new HashMap<>();
    private final Map<Key, Boolean> wanted = new LinkedHashMap<>();
    private final Map<Key, Row> written = new LinkedHashMap<>();

    /** Rows are not there yet that the logic wants. */
    public static final class NotYet extends RuntimeException {
        private static final long serialVersionUID = 1;

        private NotYet() {
            super("rows are not there yet", null, false, false);
        }
    }

    /** What was read cannot be so: rows are of different times. */
    public static final class Torn extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Torn(String message) {
            super(message, null, false, false);
        }
    }

    /** Says that a row will be looked at, before any is: so they come together. */
    void want(Key key, boolean toWrite) {
        wanted.merge(key, toWrite, Boolean::logicalOr);
    }

    /** Null where there is no such row. */
    <R extends Row> @Nullable R find(Key key, Class<R> type) {
        Row own = written.get(key);
        if (own != null) {
            return type.cast(own);
        }
        wanted.putIfAbsent(key, false);
        if (!read.keySet().containsAll(wanted.keySet())) {
            throw new NotYet();
        }
        return type.cast(read.get(key));
    }

    <R extends Row> R get(Key key, Class<R> type) {
        R found = find(key, type);
        if (found == null) {
            throw new Torn("there is no " + key);
        }
        return found;
    }

    void put(Key key, Row row) {
        written.put(key, row);
    }

    /** Forgets what it would write, before the logic runs once more. */
    public void rewind() {
        written.clear();
    }

    /** Rows that are to be read, and whether they are to be written as well. */
    public Map<Key, Boolean> missing() {
        Map<Key, Boolean> missing = new LinkedHashMap<>(wanted);
        missing.keySet().removeAll(read.keySet());
        return missing;
    }

    /** Tells what a row holds; null: there is none. */
    public void tell(Key key, @Nullable Row row) {
        read.put(key, row);
    }

    /** All that was read. */
    public Collection<Key> read() {
        return read.keySet();
    }

    /** What it writes, when the logic has run. */
    public Map<Key, Row> written() {
        return written;
    }

    /** What it writes without having read it: rows that are new. */
    public Set<Key> added() {
        Set<Key> added = new LinkedHashSet<>(written.keySet());
        added.removeAll(read.keySet());
        return added;
    }
}
