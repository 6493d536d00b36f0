/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.schema.Schema;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.log.Formats;

/**
 * The format that a data centre's log and rows are in, and in which layout they are stored, as its store remembers it:
 * one number, so that a release that does not know the layout takes it for a format that it does not know. A higher one
 * wins over a lower one, however late that is written: its write timestamp is the number. Blocks.
 */
record StoredFormat(LogKeyspace keyspace) {
    /**
     * How log and rows are stored. 1: rows in one version, what is about to be written to them beside the log, and all
     * of that in one partition. 2: rows in versions, and the log in buckets.
     */
    static final int LAYOUT = 2;

    /** A number is a layout times this, and a format. The first layout counts as none. */
    private static final int FORMATS = 1_000;

    /** What is stored cannot be read by this release of the plugin. */
    static final class UnknownException extends ProcessStart.RefusedException {
        private static final long serialVersionUID = 1L;

        UnknownException(String message) {
            super(message);
        }
    }

    /** The number; null where none is remembered: releases that knew only the first format remembered none. */
    @Nullable
    Integer read() {
        if (Schema.instance.getTableMetadata(keyspace.name(), LogKeyspace.FORMATS) == null) {
            return null;
        }
        UntypedResultSet rows = QueryProcessor.execute(
                "SELECT format FROM " + keyspace.table(LogKeyspace.FORMATS) + " WHERE part = " + LogKeyspace.PARTITION,
                ConsistencyLevel.LOCAL_QUORUM);
        return rows.isEmpty() || !rows.one().has("format") ? null : rows.one().getInt("format");
    }

    /**
     * To be called by who has the fence, before it writes anything else in this format, and when all that is stored is
     * in the layout.
     */
    void write(int format) {
        int number = LAYOUT * FORMATS + format;
        var unused = QueryProcessor.execute(
                "INSERT INTO " + keyspace.table(LogKeyspace.FORMATS) + " (part, format) VALUES ("
                        + LogKeyspace.PARTITION + ", ?) USING TIMESTAMP " + number,
                ConsistencyLevel.LOCAL_QUORUM,
                number);
    }

    /** @throws UnknownException if a process of this release must not begin */
    void check(Formats known) {
        var unused = used(read(), false, known, keyspace);
    }

    /**
     * In which layout something is stored.
     *
     * @param stored the number; null for none
     * @param blank whether nothing at all is stored
     */
    static int layout(@Nullable Integer stored, boolean blank) {
        if (stored == null && blank) {
            return LAYOUT;
        }
        return stored == null ? 1 : Math.max(1, stored / FORMATS);
    }

    /**
     * In which format a process goes on, or begins.
     *
     * @param stored the number; null for none
     * @param blank whether nothing at all is stored
     * @throws UnknownException if it is not known
     */
    static int used(@Nullable Integer stored, boolean blank, Formats known, LogKeyspace keyspace) {
        if (stored == null && blank) {
            return known.oldest();
        }
        int layout = layout(stored, blank);
        if (layout > LAYOUT) {
            throw new UnknownException("what transactions have stored in " + keyspace.name() + " is in layout " + layout
                    + ", and the plugin of this node knows layouts up to " + LAYOUT
                    + ". Install the plugin that wrote it, or a newer one: there is no way back to an older one");
        }
        int used = stored == null ? Formats.FIRST : stored % FORMATS;
        if (!known.know(used)) {
            throw new UnknownException("what transactions have stored in " + keyspace.name() + " is in format " + used
                    + ", and the plugin of this node knows " + known + ". Install "
                    + (used > known.newest()
                            ? "the plugin that wrote it, or a newer one: there is no way back to an older one"
                            : "a release in between first, which knows both"));
        }
        return used;
    }
}
