/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.service.pager.PagingState;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.StoredRow;

/**
 * The tables that users see: where rows come from that no transaction has written yet, and where written ones are put.
 */
interface UserTables {
    /**
     * A row as it was when its table began to take part.
     *
     * @param writtenLater whether it has been written since, though not by a transaction that this data centre has
     *     executed
     */
    record Found(Row row, boolean writtenLater) {
        static final Found NOTHING = new Found(Row.ABSENT, false);
    }

    /**
     * Blocks.
     *
     * @throws IllegalStateException if the table is not known here yet; to be tried again
     */
    Found read(RowKey key);

    /** Whether there is surely nothing to be read of the row. Where it is not sure, false. Does not block. */
    default boolean hasNothing(RowKey key) {
        return false;
    }

    /** Equal for rows that go into one partition of one table, so that they may be written together. */
    Object partition(RowKey key);

    /**
     * Where a row stands among those of its partition, see {@link PlacedKey}; null where rows of one partition have no
     * order, or there is no such table any more.
     */
    @Nullable
    ByteBuffer place(RowKey key);

    /**
     * The places of a range's rows. Everything where there is no such table any more.
     *
     * @param after the row behind which it begins, as it is read; null for its beginning
     * @throws IllegalStateException if the table is not known here yet; to be tried again
     */
    Stretch stretch(Range range, @Nullable RowKey after);

    /**
     * The first keys of the range's rows, as it is read, behind a row: of all that there were when the table began to
     * take part and were not written since, and maybe others. Blocks.
     *
     * @param after null for the range's beginning
     * @throws IllegalStateException if the table is not known here yet; to be tried again
     */
    List<PlacedKey> keys(Range range, @Nullable RowKey after, int most);

    /**
     * Goes through some of a table's partitions, in the order of their tokens, and tells the keys of their rows, some
     * at a time, as {@link #keys} does. Blocks.
     *
     * @param place {@link TokenScan#BEGINNING}, or what an earlier call returned
     * @return where to go on; {@link TokenScan#END} where there is nothing more
     * @throws IllegalStateException if the table is not known here yet; to be tried again
     */
    default long walk(String table, long place, Consumer<List<RowKey>> told) {
        return TokenScan.END;
    }

    /**
     * A row that is shown, and that a transaction wrote.
     *
     * @param entry the place of the newest one that did in the merged order, counted from 1
     */
    record Written(RowKey key, long entry) {}

    /**
     * @param bytes of all rows that were looked at
     * @param next null where there is nothing more
     */
    record WrittenPage(
            List<Written> rows, long bytes, @Nullable PagingState next) {
        static final WrittenPage NOTHING = new WrittenPage(List.of(), 0, null);
    }

    /**
     * Some of those rows of a table, in the order of their tokens. Blocks.
     *
     * @param place null for the beginning, or what an earlier call returned
     * @param most rows of any kind that are looked at
     * @throws IllegalStateException if the table is not known here yet; to be tried again
     */
    default WrittenPage written(String table, @Nullable PagingState place, int most) {
        return WrittenPage.NOTHING;
    }

    /**
     * A row in words, for who reads the change stream.
     *
     * @param table its keyspace and name
     * @param key the primary key's columns, in JSON
     * @param row all others, in JSON; null where there is no such row any more
     */
    record Shown(String table, String key, @Nullable String row) {}

    /** Null where there is no such table any more. */
    @Nullable
    Shown shown(RowKey key, Row row);

    /** What puts the row there; none where there is no such table any more. */
    List<Mutation> mutations(RowKey key, StoredRow row);
}
