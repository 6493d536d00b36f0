/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc.cql;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.tpcc.Key;
import org.meteorshower.lab.tpcc.LastNames;
import org.meteorshower.lab.tpcc.Row;

/** First rows as values of their tables' columns, in order. */
final class TpccRows {
    private final BiConsumer<TpccTable, List<@Nullable Object>> taker;

    TpccRows(BiConsumer<TpccTable, List<@Nullable Object>> taker) {
        this.taker = taker;
    }

    void take(Key key, Row row) {
        int w = key.warehouse();
        int d = key.district();
        int id = (int) key.id();
        if (row instanceof Row.Warehouse warehouse) {
            give(TpccTable.WAREHOUSE, List.of(w, warehouse.name()), warehouse.address(), List.of(warehouse.tax()));
        } else if (row instanceof Row.District district) {
            give(TpccTable.DISTRICT, List.of(w, d, district.name()), district.address(), List.of(district.tax()));
        } else if (row instanceof Row.Ytd ytd) {
            boolean whole = key.kind() == Key.Kind.WAREHOUSE_YTD;
            give(
                    whole ? TpccTable.WAREHOUSE_YTD : TpccTable.DISTRICT_YTD,
                    whole ? List.of(w, ytd.cents()) : List.of(w, d, ytd.cents()));
        } else if (row instanceof Row.NextOrder next) {
            give(TpccTable.DISTRICT_NEXT, List.of(w, d, next.number()));
        } else if (row instanceof Row.Customer customer) {
            customer(w, d, id, customer);
        } else if (row instanceof Row.Names names) {
            give(TpccTable.CUSTOMER_NAMES, List.of(w, d, LastNames.of(id), names.customers()));
        } else if (row instanceof Row.History paid) {
            give(
                    TpccTable.HISTORY,
                    List.of(
                            w,
                            d,
                            key.id(),
                            paid.who().warehouse(),
                            paid.who().district(),
                            paid.who().id(),
                            Instant.ofEpochMilli(paid.at()),
                            paid.amount(),
                            paid.data()));
        } else if (row instanceof Row.Order order) {
            order(w, d, id, order);
        } else if (row instanceof Row.LastOrder last) {
            give(TpccTable.ORDERS_BY_CUSTOMER, List.of(w, d, id, last.number()));
        } else if (row instanceof Row.NewOrders numbers) {
            numbers.numbers().forEach(number -> give(TpccTable.NEW_ORDER, List.of(w, d, number)));
        } else if (row instanceof Row.Stock stock) {
            stock(w, id, stock);
        } else if (row instanceof Row.Item item) {
            give(TpccTable.ITEM, List.of(id, item.image(), item.name(), item.price(), item.data()));
        }
    }

    private void customer(int w, int d, int id, Row.Customer customer) {
        Row.Person person = customer.person();
        Row.Terms terms = customer.terms();
        give(
                TpccTable.CUSTOMER,
                List.of(w, d, id, person.first(), person.middle(), person.last()),
                person.address(),
                List.of(
                        person.phone(),
                        Instant.ofEpochMilli(person.since()),
                        terms.good() ? "GC" : "BC",
                        terms.limit(),
                        terms.discount(),
                        customer.balance(),
                        customer.paid(),
                        customer.payments(),
                        customer.deliveries(),
                        customer.data()));
    }

    private void order(int w, int d, int id, Row.Order order) {
        boolean delivered = order.carrier() != 0;
        give(
                TpccTable.ORDERS,
                Arrays.asList(
                        w,
                        d,
                        id,
                        order.customer(),
                        Instant.ofEpochMilli(order.entered()),
                        delivered ? order.carrier() : null,
                        order.lines().size(),
                        order.local() ? 1 : 0,
                        delivered ? Instant.ofEpochMilli(order.delivered()) : null));
        for (int number = 1; number <= order.lines().size(); number++) {
            Row.Line line = order.lines().get(number - 1);
            give(
                    TpccTable.ORDER_LINE,
                    List.of(
                            w,
                            d,
                            id,
                            number,
                            line.item(),
                            line.supplier(),
                            line.quantity(),
                            line.amount(),
                            line.info()));
        }
    }

    private void stock(int w, int id, Row.Stock stock) {
        Map<Integer, String> texts = new TreeMap<>();
        for (String text : stock.districts()) {
            texts.put(texts.size() + 1, text);
        }
        give(
                TpccTable.STOCK,
                List.of(w, id, stock.quantity(), texts, stock.sold(), stock.orders(), stock.remote(), stock.data()));
    }

    private void give(TpccTable table, List<? extends Object> first, Row.Address address, List<? extends Object> then) {
        List<@Nullable Object> values = new ArrayList<>(first);
        values.addAll(List.of(address.street1(), address.street2(), address.city(), address.state(), address.zip()));
        values.addAll(then);
        give(table, values);
    }

    private void give(TpccTable table, List<? extends @Nullable Object> values) {
        taker.accept(table, new ArrayList<>(values));
    }
}
