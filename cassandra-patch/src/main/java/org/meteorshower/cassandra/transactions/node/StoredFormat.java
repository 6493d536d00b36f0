/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.schema.Schema;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.log.Formats;

/**
 * The format that a data centre's log and rows are in, as its store remembers it. A higher one wins over a lower one, however late that is
 * written: its write timestamp is the format. Blocks.
 */
record StoredFormat(LogKeyspace keyspace) {
    /** What is stored cannot be read by this release of the plugin. */
    static final class UnknownException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        UnknownException(String message) {
            super(message);
        }
    }

    /** Null where none is remembered: releases that knew only the first remembered none. */
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

    /** To be called by who has the fence, before it writes anything else in this format. */
    void write(int format) {
        var unused = QueryProcessor.execute(
                "INSERT INTO " + keyspace.table(LogKeyspace.FORMATS) + " (part, format) VALUES ("
                        + LogKeyspace.PARTITION + ", ?) USING TIMESTAMP " + format,
                ConsistencyLevel.LOCAL_QUORUM,
                format);
    }

    /** @throws UnknownException if a process of this release must not begin */
    void check(Formats known) {
        var unused = used(read(), false, known, keyspace);
    }

    /**
     * In which format a process goes on, or begins.
     *
     * @param stored null for none
     * @param blank whether nothing at all is stored
     * @throws UnknownException if it is not known
     */
    static int used(@Nullable Integer stored, boolean blank, Formats known, LogKeyspace keyspace) {
        if (stored == null && blank) {
            return known.oldest();
        }
        int used = stored == null ? Formats.FIRST : stored;
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
