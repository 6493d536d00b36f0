/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.List;
import org.meteorshower.lab.transactions.Async;

/**
 * Reads a whole table in one data centre, as it is on its own nodes, and holds it against what was acknowledged.
 * Stateless.
 */
final class LostRows {
    private static final int PAGE = 500;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int AT_A_TIME = 64;
    private static final long PAUSE_MILLIS = 2_000;

    private LostRows() {}

    /** @param failure why it could not be read; empty where it was */
    record Found(List<Integer> lost, long wrongRows, List<String> wrong, String failure) {}

    /** Reads again while rows are missing, until this moment: what is written behind comes a little later. */
    static Found in(CqlSession session, String table, Ledger ledger, long deadlineNanos) throws InterruptedException {
        while (true) {
            Found found = once(session, table, ledger);
            boolean good = found.lost().isEmpty() && found.failure().isEmpty();
            if (good || found.wrongRows() > 0 || System.nanoTime() - deadlineNanos >= 0) {
                return found;
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /**
     * Of these rows, of a table that takes part in transactions, those that a snapshot in this data centre does not
     * show either. The others are safe, and only not in the table yet. Throws
     * {@link org.meteorshower.lab.cluster.ClusterException} where they cannot be read.
     */
    static List<Integer> inNoSnapshot(CqlSession session, String table, Ledger ledger, List<Integer> keys) {
        PreparedStatement select = session.prepare("SELECT value FROM " + table + " WHERE id = ?");
        Ledger.Audit audit = ledger.audit();
        List<String> values = Async.all(keys, AT_A_TIME, "rows were read", key -> session.executeAsync(
                        select.bind(key).setConsistencyLevel(ConsistencyLevel.LOCAL_ONE))
                .thenApply(found -> {
                    Row row = found.one();
                    return row == null ? "" : String.valueOf(row.getString(0));
                }));
        for (int i = 0; i < keys.size(); i++) {
            audit.saw(keys.get(i), values.get(i));
        }
        return keys.stream().filter(key -> !audit.found(key)).toList();
    }

    private static Found once(CqlSession session, String table, Ledger ledger) {
        Ledger.Audit audit = ledger.audit();
        String failure = "";
        try {
            for (Row row : session.execute(SimpleStatement.newInstance("SELECT id, value FROM " + table)
                    .setConsistencyLevel(ConsistencyLevel.LOCAL_ONE)
                    .setPageSize(PAGE)
                    .setTimeout(PATIENCE))) {
                audit.saw(row.getInt(0), String.valueOf(row.getString(1)));
            }
        } catch (DriverException e) {
            failure = String.valueOf(e.getMessage());
        }
        return new Found(audit.lost(), audit.wrongRows(), audit.wrong(), failure);
    }
}
