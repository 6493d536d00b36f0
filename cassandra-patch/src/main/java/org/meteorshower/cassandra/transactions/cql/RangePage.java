/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.filter.ClusteringIndexFilter;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.pager.PagingState;
import org.apache.cassandra.transport.ProtocolVersion;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Range;

/**
 * A page of a range of rows, as drivers ask for them: each is a strict read by itself. Where the next one begins is
 * told in Cassandra's own way, so a client may go on at any node, and at another level.
 *
 * @param size as many rows, at most; {@link #WHOLE} where the range comes as a whole
 * @param left as many rows the statement may still take; {@link DataLimits#NO_LIMIT} for all
 * @param behind where the page before it ended; null for the first
 */
record RangePage(int size, int left, @Nullable PagingState behind) {
    static final int WHOLE = Integer.MAX_VALUE;

    static RangePage whole(int limit) {
        return new RangePage(WHOLE, limit, null);
    }

    /**
     * @param limit of the statement's; {@link DataLimits#NO_LIMIT} for none
     * @throws InvalidRequestException if it goes on behind another page without saying how large it shall be, or where
     *     nothing is left
     */
    static RangePage of(QueryOptions options, int limit) {
        PagingState behind = options.getPagingState();
        int size = options.getPageSize() <= 0 ? WHOLE : Math.min(options.getPageSize(), Range.MOST_ROWS);
        if (behind == null) {
            return new RangePage(size, limit, null);
        } else if (size == WHOLE || behind.remaining <= 0) {
            throw elsewhere();
        }
        return new RangePage(size, Math.min(limit, behind.remaining), behind);
    }

    /** As many rows as it takes; {@link Range#ALL} for all. */
    int most() {
        int most = Math.min(size, left);
        if (most == DataLimits.NO_LIMIT) {
            return Range.ALL;
        } else if (most > Range.MOST_ROWS) {
            throw Errors.invalid("LIMIT " + most + ": a statement takes at most " + Range.MOST_ROWS
                    + " rows of a range. Take fewer, and go on behind the last of them; or outside of a transaction, in"
                    + " pages");
        }
        return most;
    }

    /** What is left of these rows. */
    ClusteringIndexFilter rest(ClusteringIndexFilter rows, TableMetadata table, ByteBuffer partition) {
        if (behind == null) {
            return rows;
        } else if (behind.rowMark == null || !partition.equals(behind.partitionKey)) {
            throw elsewhere();
        }
        return rows.forPaging(table.comparator, rowOf(behind.rowMark, table), false);
    }

    private static Clustering<?> rowOf(PagingState.RowMark mark, TableMetadata table) {
        try {
            Clustering<?> row = mark.clustering(table);
            if (row.size() != table.comparator.size()) {
                throw elsewhere();
            }
            row.validate();
            return row;
        } catch (InvalidRequestException e) {
            throw e;
        } catch (RuntimeException e) {
            throw elsewhere(); // it comes from the client, and may be anything
        }
    }

    /**
     * Where the next one begins.
     *
     * @param found how many rows this one has
     * @param last of them
     * @return null where nothing can be left
     */
    @Nullable
    PagingState next(int found, Place last, ProtocolVersion version) {
        int more = left == DataLimits.NO_LIMIT ? left : left - found;
        if (found < size || more <= 0) {
            return null;
        }
        PagingState.RowMark mark =
                PagingState.RowMark.create(last.table(), BTreeRow.emptyRow(last.clustering()), version);
        return new PagingState(last.partitionKey(), mark, more, more);
    }

    private static InvalidRequestException elsewhere() {
        return Errors.invalid("this page goes on behind one of another statement: begin again");
    }
}
