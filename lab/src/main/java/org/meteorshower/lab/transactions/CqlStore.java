/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.load.DataCentres;

/**
 * A table whose transactions are CQL text, the same for Catenae on Cassandra 5.0 and for Accord on Cassandra 6, through
 * the plain driver.
 */
final class CqlStore implements TransactionStore {
    private static final int ROWS_A_LOAD = 20;
    private static final int LOADS_AT_A_TIME = 8;
    private static final int READS_AT_A_TIME = 48;

    private final DataCentres dataCentres;
    private final String keyspace;
    private final String table;
    private final String tableOptions;
    private final boolean enabled;
    private final Map<String, CqlTransactions> statements = new LinkedHashMap<>();

    private CqlStore(DataCentres dataCentres, String keyspace, String table, String tableOptions, boolean enabled) {
        this.dataCentres = dataCentres;
        this.keyspace = keyspace;
        this.table = table;
        this.tableOptions = tableOptions;
        this.enabled = enabled;
    }

    /** On Cassandra 6. The keyspace exists. */
    static CqlStore accord(DataCentres dataCentres, String keyspace, String table) {
        return new CqlStore(dataCentres, keyspace, table, " WITH transactional_mode = 'full'", false);
    }

    /** On Cassandra 5.0 with the plugin. The keyspace exists. */
    static CqlStore catenae(DataCentres dataCentres, String keyspace, String table) {
        return new CqlStore(dataCentres, keyspace, table, "", true);
    }

    @Override
    public void create() {
        CqlSession session = dataCentres.session(dataCentres.names().get(0));
        session.execute("CREATE TABLE " + keyspace + "." + table
                + " (id int PRIMARY KEY, balance bigint, version bigint, last text)" + tableOptions);
        if (enabled) {
            EnabledTable.enable(session, keyspace, table);
        }
        for (String dc : dataCentres.names()) {
            eventually(() -> {
                CqlTransactions prepared =
                        new CqlTransactions(dataCentres.session(dc), keyspace + "." + table, ROWS_A_LOAD);
                dataCentres.session(dc).execute(prepared.look(0));
                statements.put(dc, prepared);
            });
        }
    }

    private void eventually(Runnable step) {
        EnabledTable.eventually(keyspace + "." + table, step);
    }

    @Override
    public void load(int firstRow, int rows) {
        List<Integer> firsts = new ArrayList<>();
        for (int row = firstRow; row < firstRow + rows; row += ROWS_A_LOAD) {
            firsts.add(row);
        }
        List<String> dcs = dataCentres.names();
        Async.all(firsts, LOADS_AT_A_TIME, "the rows were written", first -> {
            String dc = dcs.get(first / ROWS_A_LOAD % dcs.size());
            return dataCentres
                    .session(dc)
                    .executeAsync(of(dc).load(first, Math.min(ROWS_A_LOAD, firstRow + rows - first)));
        });
    }

    @Override
    public TransactionClient client(String dc) {
        CqlTransactions prepared = of(dc);
        return request -> run(dc, prepared, request);
    }

    private CompletionStage<TransactionOutcome> run(String dc, CqlTransactions prepared, Request request) {
        try {
            return dataCentres
                    .session(dc)
                    .executeAsync(prepared.statement(request))
                    .handle((rows, failure) ->
                            failure == null ? RequestText.outcome(request, rows.one()) : Failures.outcome(failure, 0));
        } catch (DriverException e) {
            return CompletableFuture.completedFuture(Failures.outcome(e, 0));
        }
    }

    @Override
    public List<Account> audit(String dc, int firstRow, int rows) {
        return Async.all(
                IntStream.range(firstRow, firstRow + rows).boxed().toList(),
                READS_AT_A_TIME,
                "the rows were read in the end",
                id -> dataCentres.session(dc).executeAsync(of(dc).look(id)).thenApply(found -> {
                    Row row = found.one();
                    if (row == null) {
                        throw new ClusterException("row " + id + " is gone");
                    }
                    return new Account(
                            id, row.getLong(0), row.getLong(1), Objects.requireNonNullElse(row.getString(2), ""));
                }));
    }

    private CqlTransactions of(String dc) {
        CqlTransactions found = statements.get(dc);
        if (found == null) {
            throw new ClusterException("nothing is prepared in data centre " + dc);
        }
        return found;
    }

    @Override
    public void close() {}
}
