/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ConsistencyLevel;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.StoredRow;

/**
 * All rows of an edition, page by page in the order of their tokens, in bounded memory: what each takes is read before
 * it is. A place is the token behind which a page begins. Blocks; thread-safe.
 */
final class RowPages {
    private static final String TOKEN = "token(edition, tbl, key)";

    private final int most;
    private final String sizes;
    private final String contents;

    /** @param most rows of which the sizes are looked at together: at least two */
    RowPages(LogKeyspace keyspace, int most) {
        this.most = most;
        String from = " FROM " + keyspace.table(LogKeyspace.VERSIONS) + " WHERE " + TOKEN + " > ? AND " + TOKEN
                + " <= ? AND version < ? PER PARTITION LIMIT 1";
        sizes = "SELECT edition, tbl, key, size, " + TOKEN + " AS place" + from + " LIMIT ? ALLOW FILTERING";
        contents = "SELECT edition, tbl, key, version, content" + from + " ALLOW FILTERING";
    }

    /** @param next the empty text where there is nothing more */
    record Page(Map<RowKey, StoredRow> rows, String next) {}

    /**
     * @param place the empty text for the beginning
     * @throws IllegalArgumentException if it is none that an earlier page has told
     */
    Page read(int edition, long below, String place, int bytes) {
        long from = place.isEmpty() ? TokenScan.BEGINNING : Long.parseLong(place);
        while (true) {
            Stretch stretch = stretch(edition, below, from, bytes);
            if (stretch.rows > 0) {
                return new Page(rows(edition, below, from, stretch.to), stretch.more ? Long.toString(stretch.to) : "");
            } else if (!stretch.more) {
                return new Page(Map.of(), "");
            }
            from = stretch.to; // Only rows of other editions.
        }
    }

    /** @param rows of the edition that it has */
    private record Stretch(long to, int rows, boolean more) {}

    /** The rows of a token are in one page. */
    private record Group(long token, int rows, long bytes) {}

    private Stretch stretch(int edition, long below, long from, int bytes) {
        int limit = most;
        while (true) {
            int atMost = limit;
            TokenScan.Found found = TokenScan.read(
                    from,
                    (after, to) ->
                            QueryProcessor.execute(sizes, ConsistencyLevel.LOCAL_QUORUM, after, to, below, atMost));
            boolean full = found.rows().size() >= limit;
            List<Group> groups = groups(found.rows(), edition);
            if (full) {
                groups.remove(groups.size() - 1); // There may be more of this token.
            }
            if (!groups.isEmpty()) {
                return stretch(groups, full || found.to() < TokenScan.END, bytes);
            } else if (!full) {
                return new Stretch(found.to(), 0, found.to() < TokenScan.END);
            }
            limit *= 2;
        }
    }

    private static Stretch stretch(List<Group> groups, boolean more, int bytes) {
        long sum = 0;
        int rows = 0;
        long to = 0;
        for (Group group : groups) {
            if (rows > 0 && sum + group.bytes > bytes) {
                return new Stretch(to, rows, true);
            }
            sum += group.bytes;
            rows += group.rows;
            to = group.token;
        }
        return new Stretch(to, rows, more);
    }

    private static List<Group> groups(UntypedResultSet found, int edition) {
        List<Group> groups = new ArrayList<>();
        for (UntypedResultSet.Row row : found) {
            boolean wanted = row.getInt("edition") == edition;
            long bytes = wanted
                    ? row.getInt("size")
                            + row.getString("key").length()
                            + row.getString("tbl").length()
                    : 0;
            Group group = new Group(row.getLong("place"), wanted ? 1 : 0, bytes);
            Group last = groups.isEmpty() ? null : groups.get(groups.size() - 1);
            if (last != null && last.token == group.token) {
                groups.set(groups.size() - 1, new Group(last.token, last.rows + group.rows, last.bytes + group.bytes));
            } else {
                groups.add(group);
            }
        }
        return groups;
    }

    private Map<RowKey, StoredRow> rows(int edition, long below, long from, long to) {
        Map<RowKey, StoredRow> rows = new HashMap<>();
        for (UntypedResultSet.Row row :
                QueryProcessor.execute(contents, ConsistencyLevel.LOCAL_QUORUM, from, to, below)) {
            if (row.getInt("edition") == edition) {
                rows.put(new RowKey(row.getString("tbl"), row.getString("key")), RowVersions.row(row));
            }
        }
        return rows;
    }
}
