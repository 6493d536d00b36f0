/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.load.DataCentres;

/**
 * A table that Cassandra's own conditional batches change: Paxos, version 2. Such a batch stays within one partition,
 * so rows are dealt to partitions of ten, and a transaction's rows are of the same one. That is less than the other
 * systems can do.
 */
final class LwtStore implements TransactionStore {
    private static final int GROUP = 10;
    private static final int AT_A_TIME = 64;

    private final DataCentres dataCentres;
    private final String table;
    private final Map<String, LwtStatements> statements = new LinkedHashMap<>();

    /** The keyspace exists. */
    LwtStore(DataCentres dataCentres, String keyspace, String table) {
        this.dataCentres = dataCentres;
        this.table = keyspace + "." + table;
    }

    static int partition(int row) {
        return row / GROUP;
    }

    @Override
    public int groupSize() {
        return GROUP;
    }

    @Override
    public void create() {
        dataCentres
                .session(dataCentres.names().get(0))
                .execute("CREATE TABLE " + table
                        + " (p int, id int, balance bigint, version bigint, last text, PRIMARY KEY (p, id))");
        for (String dc : dataCentres.names()) {
            Async.all(List.of(dc), 1, "the statements were prepared", here -> {
                statements.put(here, new LwtStatements(dataCentres.session(here), table));
                return CompletableFuture.completedFuture(here);
            });
        }
    }

    @Override
    public void load(int firstRow, int rows) {
        String dc = dataCentres.names().get(0);
        CqlSession session = dataCentres.session(dc);
        Async.all(
                IntStream.range(firstRow, firstRow + rows).boxed().toList(),
                AT_A_TIME,
                "the rows were written",
                row -> session.executeAsync(of(dc).insert(row).setConsistencyLevel(ConsistencyLevel.ALL)));
    }

    @Override
    public TransactionClient client(String dc) {
        LwtStatements prepared = of(dc);
        return request -> new LwtAttempt(dataCentres.session(dc), prepared, request).start();
    }

    @Override
    public List<Account> audit(String dc, int firstRow, int rows) {
        return Async.all(
                IntStream.range(firstRow, firstRow + rows).boxed().toList(),
                AT_A_TIME,
                "the rows were read in the end",
                id -> dataCentres
                        .session(dc)
                        .executeAsync(of(dc).select(List.of(id)).setConsistencyLevel(ConsistencyLevel.SERIAL))
                        .thenApply(found -> {
                            Row row = found.one();
                            if (row == null) {
                                throw new ClusterException("row " + id + " is gone");
                            }
                            return new Account(
                                    id,
                                    row.getLong("balance"),
                                    row.getLong("version"),
                                    Objects.requireNonNullElse(row.getString("last"), ""));
                        }));
    }

    private LwtStatements of(String dc) {
        LwtStatements found = statements.get(dc);
        if (found == null) {
            throw new ClusterException("nothing is prepared in data centre " + dc);
        }
        return found;
    }

    @Override
    public void close() {}
}
