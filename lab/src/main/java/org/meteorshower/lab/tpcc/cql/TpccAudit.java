/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc.cql;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.tpcc.Audit;
import org.meteorshower.lab.transactions.Async;

/** Reads all rows of a district strictly, a range at a time. For one thread. */
final class TpccAudit {
    /** As many as a range may have. */
    private static final int ROWS = 500;

    private static final int AT_A_TIME = 16;

    private final String prefix;
    private final TpccStatements client;
    private final int warehouses;
    private final int districts;

    TpccAudit(String prefix, TpccStatements client, int warehouses, int districts) {
        this.prefix = prefix;
        this.client = client;
        this.warehouses = warehouses;
        this.districts = districts;
    }

    /** Throws {@link ClusterException} where rows cannot be read. */
    Audit read() {
        Audit audit = Audit.empty();
        List<Integer> all = new ArrayList<>();
        List<Audit.Place> places = new ArrayList<>();
        for (int w = 1; w <= warehouses; w++) {
            all.add(w);
            for (int d = 1; d <= districts; d++) {
                places.add(new Audit.Place(w, d));
            }
        }
        for (Row row : ones(all, w -> one("SELECT w_id, ytd FROM @warehouse_ytd WHERE w_id = ?", w))) {
            audit.warehouses().add(new Audit.Warehouse(row.getInt(0), row.getLong(1)));
        }
        List<Row> sums = ones(places, place -> one("SELECT ytd FROM @district_ytd WHERE w_id = ? AND d_id = ?", place));
        List<Row> next =
                ones(places, place -> one("SELECT next_o_id FROM @district_next WHERE w_id = ? AND d_id = ?", place));
        for (int i = 0; i < places.size(); i++) {
            audit.districts()
                    .add(new Audit.District(
                            places.get(i), next.get(i).getInt(0), sums.get(i).getLong(0)));
        }
        customers(audit, places);
        orders(audit, places);
        ranges(places, "history", "id", "id, c_w_id, c_d_id, c_id, amount", (place, row) -> audit.payments()
                .add(new Audit.Payment(
                        place, new Audit.Place(row.getInt(1), row.getInt(2)), row.getInt(3), row.getLong(4))));
        return audit;
    }

    private void customers(Audit audit, List<Audit.Place> places) {
        ranges(places, "customer", "c_id", "c_id, balance, ytd_payment", (place, row) -> audit.customers()
                .add(new Audit.Customer(place, row.getInt(0), row.getLong(1), row.getLong(2))));
    }

    private void orders(Audit audit, List<Audit.Place> places) {
        ranges(places, "orders", "o_id", "o_id, c_id, ol_cnt, carrier_id, delivery_d", (place, row) -> audit.orders()
                .add(new Audit.Order(
                        place, row.getInt(0), row.getInt(1), row.getInt(2), !row.isNull(3), !row.isNull(4))));
        ranges(places, "new_order", "o_id", "o_id", (place, row) -> audit.newOrders()
                .add(new Audit.NewOrder(place, row.getInt(0))));
        ranges(places, "order_line", "o_id, number", "o_id, number, amount", (place, row) -> audit.lines()
                .add(new Audit.Line(place, row.getInt(0), row.getInt(1), row.getLong(2))));
    }

    private interface Taker {
        void take(Audit.Place place, Row row);
    }

    /** @param keys the clustering columns, which are the first of the columns */
    private void ranges(List<Audit.Place> places, String table, String keys, String columns, Taker taker) {
        List<List<Row>> read = Async.all(
                places,
                AT_A_TIME,
                "the rows of TPC-C were read in the end",
                place -> range(place, table, keys, columns, null, new ArrayList<>()));
        for (int i = 0; i < places.size(); i++) {
            for (Row row : read.get(i)) {
                taker.take(places.get(i), row);
            }
        }
    }

    private CompletionStage<List<Row>> range(
            Audit.Place place, String table, String keys, String columns, @Nullable Row last, List<Row> rows) {
        String text = "SELECT " + columns + " FROM @" + table + " WHERE w_id = ? AND d_id = ?";
        List<@Nullable Object> values = new ArrayList<>(List.of(place.warehouse(), place.district()));
        if (last != null) {
            boolean two = keys.contains(",");
            text += " AND (" + keys + ") > (" + (two ? "?, ?" : "?") + ")";
            values.add(last.getObject(0));
            if (two) {
                values.add(last.getObject(1));
            }
        }
        return run(text + " LIMIT " + ROWS, values.toArray()).thenCompose(page -> {
            @Nullable Row end = null;
            int count = 0;
            for (Row row : page.currentPage()) {
                rows.add(row);
                end = row;
                count++;
            }
            return count < ROWS
                    ? CompletableFuture.completedFuture(rows)
                    : range(place, table, keys, columns, end, rows);
        });
    }

    private CompletionStage<Row> one(String text, int warehouse) {
        return run(text, warehouse).thenApply(TpccAudit::only);
    }

    private CompletionStage<Row> one(String text, Audit.Place place) {
        return run(text, place.warehouse(), place.district()).thenApply(TpccAudit::only);
    }

    private static Row only(AsyncResultSet rows) {
        Row row = rows.one();
        if (row == null) {
            throw new ClusterException("a row is gone");
        }
        return row;
    }

    private <T> List<Row> ones(List<T> items, Function<T, CompletionStage<Row>> work) {
        return Async.all(items, AT_A_TIME, "the rows of TPC-C were read in the end", work);
    }

    private CompletionStage<AsyncResultSet> run(String text, @Nullable Object... values) {
        return client.run(text.replace("@", prefix), values);
    }
}
