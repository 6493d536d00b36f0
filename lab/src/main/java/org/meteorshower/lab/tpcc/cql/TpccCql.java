/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc.cql;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.Progress;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.tpcc.Answer;
import org.meteorshower.lab.tpcc.Audit;
import org.meteorshower.lab.tpcc.LastNames;
import org.meteorshower.lab.tpcc.Population;
import org.meteorshower.lab.tpcc.TpccClient;
import org.meteorshower.lab.tpcc.TpccInput;
import org.meteorshower.lab.tpcc.TpccStore;
import org.meteorshower.lab.tpcc.Unit;
import org.meteorshower.lab.tpcc.UnknownNameException;
import org.meteorshower.lab.transactions.Async;
import org.meteorshower.lab.transactions.EnabledTable;
import org.meteorshower.lab.transactions.Failures;

/** TPC-C in Catenae's transactions on Cassandra 5.0, through the plain driver. */
public final class TpccCql implements TpccStore {
    private static final int LEAST_LINES = 5;
    private static final int PREPARED_AT_A_TIME = 8;

    private final DataCentres dataCentres;
    private final String keyspace;
    private final String prefix;
    private final TpccText texts;
    private final Progress progress;
    private final Map<String, TpccStatements> statements = new LinkedHashMap<>();
    private @Nullable Population loaded;

    /**
     * @param keyspace exists
     * @param tables what their names begin with
     * @param progress told how far the making is
     */
    public TpccCql(DataCentres dataCentres, String keyspace, String tables, Progress progress) {
        this.progress = progress;
        this.dataCentres = dataCentres;
        this.keyspace = keyspace;
        prefix = keyspace + "." + tables;
        texts = new TpccText(prefix);
        dataCentres.names().forEach(dc -> statements.put(dc, new TpccStatements(dataCentres.session(dc))));
    }

    @Override
    public void create(Population population) {
        CqlSession session = dataCentres.session(dataCentres.names().get(0));
        for (TpccTable table : TpccTable.values()) {
            session.execute(table.creation(prefix));
        }
        for (TpccTable table : TpccTable.values()) {
            EnabledTable.enable(session, keyspace, (prefix + table.word()).substring(keyspace.length() + 1));
        }
        List<TpccStatements> all = List.copyOf(statements.values());
        for (TpccStatements each : all) {
            EnabledTable.eventually(prefix + "*", () -> eachTable(each));
            // Data centres agree on ranges when the first is asked for: sooner while there are no rows.
            EnabledTable.eventually(
                    prefix + "*",
                    () -> each.look("BEGIN TRANSACTION SELECT * FROM " + prefix
                            + "orders WHERE w_id = 0 AND d_id = 0; COMMIT TRANSACTION"));
        }
        progress.say("the tables of TPC-C are there");
        new TpccLoader(prefix, all).load(population);
        progress.say("the rows of TPC-C are written");
        loaded = population;
        for (TpccStatements each : all) {
            // What is prepared in the middle of a run would be measured.
            Async.all(
                    shapes(),
                    PREPARED_AT_A_TIME,
                    "transactions were prepared",
                    unit -> each.prepare(texts.of(unit).text()));
            eachTable(each); // Strictly: whatever is loaded is here then.
        }
    }

    /** A strict read of each, so that nodes know all of them. */
    private void eachTable(TpccStatements client) {
        for (TpccTable table : TpccTable.values()) {
            List<String> keys = table.names();
            String text =
                    switch (table) {
                        case WAREHOUSE, WAREHOUSE_YTD -> "w_id = 0";
                        case ITEM -> "i_id = 0";
                        case STOCK -> "w_id = 0 AND i_id = 0";
                        case DISTRICT, DISTRICT_YTD, DISTRICT_NEXT -> "w_id = 0 AND d_id = 0";
                        case CUSTOMER_NAMES -> "w_id = 0 AND d_id = 0 AND last = ''";
                        case ORDERS_BY_CUSTOMER, ORDER_LINE ->
                            "w_id = 0 AND d_id = 0 AND " + keys.get(2) + " = 0 AND " + keys.get(3) + " = 0";
                        case CUSTOMER, HISTORY, ORDERS, NEW_ORDER ->
                            "w_id = 0 AND d_id = 0 AND " + keys.get(2) + " = 0";
                    };
            client.look("BEGIN TRANSACTION SELECT * FROM " + prefix + table.word() + " WHERE " + text
                    + "; COMMIT TRANSACTION");
        }
    }

    /** A unit of each text that there will be. */
    private static List<Unit> shapes() {
        List<Unit> shapes = new ArrayList<>(List.of(
                new Unit.Payment(1, 1, new TpccInput.Who(1, 1, 1, -1), 1, 0, 0),
                new Unit.LastOrder(1, 1, 1),
                new Unit.Deliver(1, 1, 1, 0),
                new Unit.RecentItems(1, 1),
                new Unit.CountBelow(1, 1, List.of(1))));
        for (int lines = LEAST_LINES; lines <= TpccText.MOST_LINES; lines++) {
            shapes.add(new Unit.NewOrder(1, 1, 1, Collections.nCopies(lines, new TpccInput.Line(1, 1, 1)), 0));
        }
        return shapes;
    }

    @Override
    public TpccClient client(String dc) {
        TpccStatements here = Objects.requireNonNull(statements.get(dc), dc);
        return new TpccClient() {
            @Override
            public CompletionStage<List<Integer>> named(int warehouse, int district, int name) {
                return TpccCql.this.named(here, warehouse, district, name);
            }

            @Override
            public CompletionStage<Answer> run(Unit unit) {
                Script script = texts.of(unit);
                return here.run(script.text(), script.values())
                        .handle((rows, failure) -> failure == null
                                ? TpccAnswers.of(unit, rows)
                                : TpccAnswers.of(Failures.outcome(failure, 0)));
            }
        };
    }

    /** At LOCAL_ONE: a snapshot nearby. */
    private CompletionStage<List<Integer>> named(TpccStatements here, int warehouse, int district, int name) {
        String text = "SELECT c_ids FROM " + prefix + "customer_names WHERE w_id = ? AND d_id = ? AND last = ?";
        return here.run(ConsistencyLevel.LOCAL_ONE, text, warehouse, district, LastNames.of(name))
                .handle((rows, failure) -> {
                    Row row = failure == null ? rows.one() : null;
                    if (row == null) {
                        throw new UnknownNameException(
                                failure == null ? "nobody has this name" : String.valueOf(failure.getMessage()));
                    }
                    return Objects.requireNonNull(row.getList(0, Integer.class));
                });
    }

    @Override
    public Audit audit() {
        Population population = loaded;
        if (population == null) {
            throw new ClusterException("TPC-C was not loaded");
        }
        return new TpccAudit(
                        prefix,
                        statements.values().iterator().next(),
                        population.warehouses(),
                        population.scale().districts())
                .read();
    }

    @Override
    public void close() {}
}
