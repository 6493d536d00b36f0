/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.changes;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads them from the data centre's keyspace, a page at a time. */
final class CqlChangeTables implements ChangeTables {

    /** Of the group of all data centres, without a number, or of another one. */
    private static final Pattern KEYSPACE = Pattern.compile("meteorshower_transactions_(?:g([1-9][0-9]{0,9})_)?[0-9]+");

    private static final int WHOLE_GROUP = 0;

    /** So many rows are in memory beside a batch; each may be as large as a row of the application. */
    private static final int PAGE_ROWS = 200;

    private final CqlSession session;
    private final String keyspace;

    private CqlChangeTables(CqlSession session, String keyspace) {
        this.session = session;
        this.keyspace = keyspace;
    }

    /**
     * Asks the cluster, not the driver's metadata, which need not have any schema.
     *
     * @param chosen the group's number; without one it is that of all data centres, or else the only one
     * @throws ChangesOffException if no keyspace of such a group's log is the data centre's, or several are
     */
    static CqlChangeTables of(CqlSession session, String dataCentre, OptionalInt chosen) {
        SortedMap<Long, String> keyspaces = keyspaces(session, dataCentre);
        boolean isOnly = chosen.isEmpty() && keyspaces.size() == 1;
        long group = isOnly ? keyspaces.firstKey() : chosen.orElse(WHOLE_GROUP);
        String keyspace = keyspaces.get(group);
        if (keyspace != null) {
            return new CqlChangeTables(session, keyspace);
        }
        throw none(dataCentre, chosen, keyspaces);
    }

    private static ChangesOffException none(String dataCentre, OptionalInt chosen, SortedMap<Long, String> keyspaces) {
        String names = String.join(", ", keyspaces.values());
        if (chosen.isEmpty() && !keyspaces.isEmpty()) {
            return new ChangesOffException("Data centre " + dataCentre + " has change streams of several groups of data"
                    + " centres, in " + names + ": choose one by its number, as in ChangeStream.at(session, \""
                    + dataCentre + "\", " + keyspaces.firstKey() + ")");
        }
        String of = chosen.isEmpty()
                ? ""
                : chosen.getAsInt() == WHOLE_GROUP ? " of all data centres" : " of group " + chosen.getAsInt();
        return new ChangesOffException(
                "data centre " + dataCentre + " takes no part in transactions" + of + ", or no table does yet"
                        + (names.isEmpty() ? "" : "; there is " + names),
                null);
    }

    /** By group. */
    private static SortedMap<Long, String> keyspaces(CqlSession session, String dataCentre) {
        SortedMap<Long, String> keyspaces = new TreeMap<>();
        for (Row row : session.execute("SELECT keyspace_name, replication FROM system_schema.keyspaces")) {
            String name = String.valueOf(row.getString("keyspace_name"));
            Map<String, String> replication = row.getMap("replication", String.class, String.class);
            Matcher matcher = KEYSPACE.matcher(name);
            if (matcher.matches() && replication != null && replication.containsKey(dataCentre)) {
                String group = matcher.group(1);
                keyspaces.putIfAbsent(group == null ? WHOLE_GROUP : Long.parseLong(group), name);
            }
        }
        return keyspaces;
    }

    @Override
    public Limits limits() {
        Row row =
                ask("SELECT oldest, below FROM %s.change_limits WHERE part = 0").one();
        if (row == null || row.isNull("oldest") || row.isNull("below")) {
            throw new ChangesOffException(keyspace + ".change_limits is empty", null);
        }
        return new Limits(row.getLong("oldest"), row.getLong("below"));
    }

    @Override
    public Iterable<Long> buckets(long first, long last) {
        return ask("SELECT bucket FROM %s.change_buckets WHERE part = 0 AND bucket >= ? AND bucket <= ?", first, last)
                .map(row -> row.getLong("bucket"));
    }

    @Override
    public Iterable<StoredChange> changes(long bucket, ChangePosition from) {
        return ask(
                        "SELECT place, idx, tbl, key, row FROM %s.changes WHERE bucket = ? AND (place, idx) >= (?, ?)",
                        bucket, from.place(), from.index())
                .map(CqlChangeTables::change);
    }

    private static StoredChange change(Row row) {
        return new StoredChange(
                new ChangePosition(row.getLong("place"), row.getInt("idx")),
                new ChangedRow(
                        String.valueOf(row.getString("tbl")),
                        String.valueOf(row.getString("key")),
                        row.getString("row")));
    }

    private ResultSet ask(String query, Object... values) {
        try {
            return session.execute(SimpleStatement.newInstance(String.format(Locale.ROOT, query, keyspace), values)
                    .setConsistencyLevel(DefaultConsistencyLevel.LOCAL_QUORUM)
                    .setPageSize(PAGE_ROWS)
                    .setIdempotent(true));
        } catch (InvalidQueryException e) {
            throw new ChangesOffException("keyspace " + keyspace + " lacks its tables (" + e.getMessage() + ")", e);
        }
    }
}
