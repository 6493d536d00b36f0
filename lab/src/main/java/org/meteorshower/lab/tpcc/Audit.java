/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * All rows that the conditions are about, of one moment at which nothing is under way. For one thread; whoever reads a
 * store adds to the lists.
 */
public record Audit(
        List<Warehouse> warehouses,
        List<District> districts,
        List<Customer> customers,
        List<Order> orders,
        List<NewOrder> newOrders,
        List<Line> lines,
        List<Payment> payments) {
    /** Which district. */
    public record Place(int warehouse, int district) {}

    /** A warehouse's sum. */
    public record Warehouse(int id, long ytd) {}

    /** A district's sum and its next order's number. */
    public record District(Place place, int next, long ytd) {}

    /** What a customer has, and has paid. */
    public record Customer(Place place, int id, long balance, long paid) {}

    /**
     * An order without its lines.
     *
     * @param lines how many it says that it has
     * @param carried whether it has a carrier
     * @param delivered whether it has a time of delivery, which stands for all its lines'
     */
    public record Order(Place place, int id, int customer, int lines, boolean carried, boolean delivered) {}

    /** An order that waits for its delivery. */
    public record NewOrder(Place place, int order) {}

    /** A line of an order. */
    public record Line(Place place, int order, int number, long amount) {}

    /** A row of the history: where it was paid, and whose it was. */
    public record Payment(Place place, Place home, int customer, long amount) {}

    /** Without any rows yet. */
    public static Audit empty() {
        return new Audit(
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>());
    }

    /** Of a store whose rows are these. */
    public static Audit of(Map<Key, Row> rows) {
        Audit audit = empty();
        rows.forEach((key, row) -> audit.add(key, row, rows));
        return audit;
    }

    private void add(Key key, Row row, Map<Key, Row> rows) {
        Place place = new Place(key.warehouse(), key.district());
        int id = (int) key.id();
        if (row instanceof Row.Ytd ytd && key.kind() == Key.Kind.WAREHOUSE_YTD) {
            warehouses.add(new Warehouse(key.warehouse(), ytd.cents()));
        } else if (row instanceof Row.NextOrder next) {
            Row ytd = rows.get(Key.district(Key.Kind.DISTRICT_YTD, key.warehouse(), key.district()));
            districts.add(new District(place, next.number(), ytd instanceof Row.Ytd sum ? sum.cents() : 0));
        } else if (row instanceof Row.Customer customer) {
            customers.add(new Customer(place, id, customer.balance(), customer.paid()));
        } else if (row instanceof Row.Order order) {
            orders.add(new Order(
                    place, id, order.customer(), order.lines().size(), order.carrier() != 0, order.delivered() != 0));
            for (int number = 1; number <= order.lines().size(); number++) {
                lines.add(new Line(
                        place, id, number, order.lines().get(number - 1).amount()));
            }
        } else if (row instanceof Row.NewOrders numbers) {
            numbers.numbers().forEach(number -> newOrders.add(new NewOrder(place, number)));
        } else if (row instanceof Row.History paid) {
            payments.add(new Payment(
                    place,
                    new Place(paid.who().warehouse(), paid.who().district()),
                    paid.who().id(),
                    paid.amount()));
        }
    }

    /** How many rows that is. */
    public int size() {
        return warehouses.size()
                + districts.size()
                + customers.size()
                + orders.size()
                + newOrders.size()
                + lines.size()
                + payments.size();
    }
}
