/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** What units do (clauses 2.4.2 to 2.8.2), on rows wherever they come from. Thread-safe: it has no state. */
public final class Logic {
    /** How many orders Stock-Level looks back. */
    public static final int RECENT_ORDERS = 20;

    private static final double WHOLE = 10_000;

    private Logic() {}

    /** Throws {@link View.NotYet} where rows must be read first, {@link View.Torn} where they cannot be right. */
    public static Answer run(Unit unit, View view) {
        if (unit instanceof Unit.NewOrder order) {
            return newOrder(order, view);
        } else if (unit instanceof Unit.Payment payment) {
            return payment(payment, view);
        } else if (unit instanceof Unit.LastOrder status) {
            return lastOrder(status, view);
        } else if (unit instanceof Unit.Deliver delivery) {
            return deliver(delivery, view);
        } else if (unit instanceof Unit.RecentItems items) {
            return recentItems(items, view);
        }
        return countBelow((Unit.CountBelow) unit, view);
    }

    private static Answer newOrder(Unit.NewOrder order, View view) {
        int w = order.warehouse();
        int d = order.district();
        Key next = Key.district(Key.Kind.DISTRICT_NEXT, w, d);
        Key pending = Key.district(Key.Kind.NEW_ORDERS, w, d);
        Key last = Key.lastOrder(w, d, order.customer());
        view.want(Key.warehouse(w), false);
        view.want(Key.district(Key.Kind.DISTRICT, w, d), false);
        view.want(Key.customer(w, d, order.customer()), false);
        for (Key key : List.of(next, pending, last)) {
            view.want(key, true);
        }
        for (TpccInput.Line line : order.lines()) {
            view.want(Key.item(line.item()), false);
            view.want(Key.stock(line.supplier(), line.item()), true);
        }
        List<Row.Line> lines = lines(order, view);
        if (lines.size() < order.lines().size()) {
            view.rewind();
            return Answer.rolledBack();
        }
        int number = view.get(next, Row.NextOrder.class).number();
        Row.Order made = new Row.Order(order.customer(), order.at(), 0, 0, order.isLocal(), lines);
        view.put(next, new Row.NextOrder(number + 1));
        view.put(Key.order(w, d, number), made);
        view.put(last, new Row.LastOrder(number));
        List<Integer> numbers =
                new ArrayList<>(view.get(pending, Row.NewOrders.class).numbers());
        numbers.add(number);
        view.put(pending, new Row.NewOrders(numbers));
        int discount = view.get(Key.customer(w, d, order.customer()), Row.Customer.class)
                .terms()
                .discount();
        int tax = view.get(Key.warehouse(w), Row.Warehouse.class).tax()
                + view.get(Key.district(Key.Kind.DISTRICT, w, d), Row.District.class)
                        .tax();
        return Answer.committed(List.of(number), total(made.amount(), discount, tax));
    }

    /** Fewer than the order has where an item is not one. */
    private static List<Row.Line> lines(Unit.NewOrder order, View view) {
        List<Row.Line> lines = new ArrayList<>();
        for (TpccInput.Line line : order.lines()) {
            Row.Item item = view.find(Key.item(line.item()), Row.Item.class);
            if (item == null) {
                return List.of();
            }
            Key key = Key.stock(line.supplier(), line.item());
            Row.Stock stock = view.get(key, Row.Stock.class);
            view.put(key, stock.less(line.quantity(), line.supplier() != order.warehouse()));
            lines.add(new Row.Line(
                    line.item(),
                    line.supplier(),
                    line.quantity(),
                    line.quantity() * item.price(),
                    stock.districts().get(order.district() - 1)));
        }
        return lines;
    }

    /** What an order costs: less the discount, and with both taxes. */
    public static long total(long cents, int discount, int taxes) {
        return Math.round(cents * (1 - discount / WHOLE) * (1 + taxes / WHOLE));
    }

    private static Answer payment(Unit.Payment payment, View view) {
        int w = payment.warehouse();
        int d = payment.district();
        TpccInput.Who who = payment.who();
        Key warehouseYtd = Key.warehouseYtd(w);
        Key districtYtd = Key.district(Key.Kind.DISTRICT_YTD, w, d);
        Key customerKey = Key.customer(who.warehouse(), who.district(), who.id());
        view.want(Key.warehouse(w), false);
        view.want(Key.district(Key.Kind.DISTRICT, w, d), false);
        for (Key key : List.of(warehouseYtd, districtYtd, customerKey)) {
            view.want(key, true);
        }
        Row.Warehouse warehouse = view.get(Key.warehouse(w), Row.Warehouse.class);
        Row.District district = view.get(Key.district(Key.Kind.DISTRICT, w, d), Row.District.class);
        Row.Customer customer = view.get(customerKey, Row.Customer.class).paying(payment.amount(), note(payment));
        view.put(customerKey, customer);
        for (Key key : List.of(warehouseYtd, districtYtd)) {
            view.put(key, new Row.Ytd(view.get(key, Row.Ytd.class).cents() + payment.amount()));
        }
        view.put(
                Key.history(w, d, payment.id()),
                new Row.History(who, payment.at(), payment.amount(), warehouse.name() + "    " + district.name()));
        return Answer.committed(List.of(), customer.balance());
    }

    /** What is noted of customers with bad credit. */
    public static String note(Unit.Payment payment) {
        TpccInput.Who who = payment.who();
        return who.id() + " " + who.district() + " " + who.warehouse() + " " + payment.district() + " "
                + payment.warehouse() + " " + payment.amount() / 100.0 + " ";
    }

    private static Answer lastOrder(Unit.LastOrder unit, View view) {
        Key customer = Key.customer(unit.warehouse(), unit.district(), unit.customer());
        Key last = Key.lastOrder(unit.warehouse(), unit.district(), unit.customer());
        view.want(customer, false);
        view.want(last, false);
        long balance = view.get(customer, Row.Customer.class).balance();
        Row.LastOrder found = view.find(last, Row.LastOrder.class);
        if (found == null) {
            return Answer.committed(List.of(), balance);
        }
        Row.Order order = view.get(Key.order(unit.warehouse(), unit.district(), found.number()), Row.Order.class);
        return Answer.committed(List.of(found.number(), order.lines().size()), balance);
    }

    private static Answer deliver(Unit.Deliver unit, View view) {
        Key pending = Key.district(Key.Kind.NEW_ORDERS, unit.warehouse(), unit.district());
        view.want(pending, true);
        List<Integer> numbers = view.get(pending, Row.NewOrders.class).numbers();
        if (numbers.isEmpty()) {
            return Answer.committed(List.of(), 0);
        }
        int number = numbers.get(0);
        Key orderKey = Key.order(unit.warehouse(), unit.district(), number);
        view.want(orderKey, true);
        Row.Order order = view.get(orderKey, Row.Order.class);
        Key customerKey = Key.customer(unit.warehouse(), unit.district(), order.customer());
        view.want(customerKey, true);
        Row.Customer customer = view.get(customerKey, Row.Customer.class);
        view.put(pending, new Row.NewOrders(List.copyOf(numbers.subList(1, numbers.size()))));
        view.put(orderKey, order.by(unit.carrier(), unit.at()));
        view.put(customerKey, customer.given(order.amount()));
        return Answer.committed(List.of(number), order.amount());
    }

    private static Answer recentItems(Unit.RecentItems unit, View view) {
        int next = view.get(
                        Key.district(Key.Kind.DISTRICT_NEXT, unit.warehouse(), unit.district()), Row.NextOrder.class)
                .number();
        List<Key> orders = new ArrayList<>();
        for (int number = Math.max(1, next - RECENT_ORDERS); number < next; number++) {
            orders.add(Key.order(unit.warehouse(), unit.district(), number));
        }
        orders.forEach(key -> view.want(key, false));
        Set<Integer> items = new LinkedHashSet<>();
        for (Key key : orders) {
            view.get(key, Row.Order.class).lines().forEach(line -> items.add(line.item()));
        }
        return Answer.committed(List.copyOf(items), 0);
    }

    private static Answer countBelow(Unit.CountBelow unit, View view) {
        unit.items().forEach(item -> view.want(Key.stock(unit.warehouse(), item), false));
        int count = 0;
        for (int item : unit.items()) {
            Row.Stock stock = Objects.requireNonNull(view.get(Key.stock(unit.warehouse(), item), Row.Stock.class));
            count += stock.quantity() < unit.threshold() ? 1 : 0;
        }
        return Answer.committed(List.of(count), 0);
    }
}
