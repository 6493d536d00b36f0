/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.AcceptedEntry;

/**
 * Reads the log's entries, so many bytes at a time: what each takes is read before the entries are. Blocks;
 * thread-safe.
 *
 * <p>What is below a floor may have come back from a replica that was down, and means nothing.
 */
final class LogReader {
    private static final int MOST_POSITIONS = 1_024;

    /** On disk, of what is read in one go. */
    private static final int MOST_AT_ONCE_BYTES = 64 << 10;

    private final LogKeyspace keyspace;
    private final String sizes;
    private final String contents;

    LogReader(LogKeyspace keyspace) {
        this.keyspace = keyspace;
        String from = " FROM " + keyspace.table(LogKeyspace.ENTRIES)
                + " WHERE bucket = ? AND lane = ? AND position >= ? AND position ";
        sizes = "SELECT position, size" + from + "< ? LIMIT " + MOST_POSITIONS;
        contents = "SELECT position, ballot, entry, writetime(entry) AS written" + from + "<= ?";
    }

    /**
     * Without a gap, from a position on; empty where that one is not there.
     *
     * @param bytes of heap, about so many, or one entry if that is larger; small transactions take many times what they
     *     take on disk
     */
    List<Entry> read(int lane, long from, long below, int bytes) {
        List<Entry> entries = new ArrayList<>();
        long next = from;
        long left = bytes;
        while (next < below && (left > 0 || entries.isEmpty())) {
            Page page = page(LogPlaces.bucket(next), lane, next, below, (int) Math.min(left, MOST_AT_ONCE_BYTES));
            for (Place each : page.places) {
                if (each.entry.position() != next || (left <= 0 && !entries.isEmpty())) {
                    return entries;
                }
                entries.add(each.entry.entry());
                left -= each.entry.entry().weight();
                next++;
            }
            if (next != page.next) {
                return entries;
            }
        }
        return entries;
    }

    /**
     * What stands at a position.
     *
     * @param entry its ballot is the highest under which something was accepted there, or none
     * @param isLearned whether the entry is what was decided, and not what was accepted
     */
    record Place(AcceptedEntry entry, boolean isLearned) {}

    /** @param next where the following page begins: behind the last entry, or behind the bucket if it has no more */
    record Page(List<Place> places, long next, int bytes) {}

    /** What a bucket has between two positions, or the first bytes of that. */
    Page page(long bucket, int lane, long from, long below, int bytes) {
        DecoratedKey partition = keyspace.key(LogKeyspace.ENTRIES, bucket);
        long end = Math.min(below, LogPlaces.end(bucket));
        UntypedResultSet found = keyspace.read(partition, sizes, bucket, lane, from, end);
        int sum = 0;
        int count = 0;
        long last = -1;
        for (UntypedResultSet.Row row : found) {
            int size = row.getInt("size");
            if (count > 0 && sum + size > bytes) {
                break;
            }
            sum += size;
            count++;
            last = row.getLong("position");
        }
        if (count == 0) {
            return new Page(List.of(), end, 0);
        }
        List<Place> places = new ArrayList<>(count);
        for (UntypedResultSet.Row row : keyspace.read(partition, contents, bucket, lane, from, last)) {
            places.add(new Place(entry(row), row.getLong("written") >= DurableMutations.LEARNED));
        }
        boolean more = count < found.size() || count == MOST_POSITIONS;
        return new Page(places, more ? last + 1 : end, sum);
    }

    private AcceptedEntry entry(UntypedResultSet.Row row) {
        try {
            return new AcceptedEntry(
                    row.getLong("position"),
                    row.getLong("ballot"),
                    LogCodec.entry(ByteBufferUtil.getArray(row.getBlob("entry"))));
        } catch (BadDataException e) {
            throw new IllegalStateException(
                    "the transactions' log in " + keyspace.name() + " is damaged: " + e.getMessage(), e);
        }
    }
}
