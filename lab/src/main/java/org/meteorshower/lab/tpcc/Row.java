/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import java.util.List;

/**
 * What a row holds. Amounts are in cents, rates in hundredths of a percent, times in milliseconds since 1970.
 * Immutable.
 */
public sealed interface Row {
    /** Where somebody or something is. */
    record Address(String street1, String street2, String city, String state, String zip) {}

    /** Of {@link Key.Kind#WAREHOUSE}. */
    record Warehouse(String name, Address address, int tax) implements Row {}

    /** What was paid this year. */
    record Ytd(long cents) implements Row {}

    /** Of {@link Key.Kind#DISTRICT}. */
    record District(String name, Address address, int tax) implements Row {}

    /** The number that the next order of a district gets. */
    record NextOrder(int number) implements Row {}

    /** Who a customer is, which no transaction changes. */
    record Person(String first, String middle, String last, Address address, String phone, long since) {}

    /** What a customer may. */
    record Terms(boolean good, long limit, int discount) {}

    /** A customer; of bad ones data says what they paid. */
    record Customer(Person person, Terms terms, long balance, long paid, int payments, int deliveries, String data)
            implements Row {
        private static final int MOST_DATA = 500;

        /** After a payment. */
        Customer paying(long amount, String note) {
            String noted = terms.good() ? data : note + data;
            return new Customer(
                    person,
                    terms,
                    balance - amount,
                    paid + amount,
                    payments + 1,
                    deliveries,
                    noted.substring(0, Math.min(noted.length(), MOST_DATA)));
        }

        /** After a delivery. */
        Customer given(long amount) {
            return new Customer(person, terms, balance + amount, paid, payments, deliveries + 1, data);
        }
    }

    /** Who has a last name, by first name. */
    record Names(List<Integer> customers) implements Row {}

    /** One payment. */
    record History(TpccInput.Who who, long at, long amount, String data) implements Row {}

    /** One line of an order; when it was delivered is told by the order. */
    record Line(int item, int supplier, int quantity, long amount, String info) {}

    /**
     * An order with its lines. All lines of one are delivered together, so the time stands once.
     *
     * @param carrier 0: not delivered
     * @param delivered 0: not delivered
     */
    record Order(int customer, long entered, int carrier, long delivered, boolean local, List<Line> lines)
            implements Row {
        long amount() {
            return lines.stream().mapToLong(Line::amount).sum();
        }

        Order by(int carriedBy, long at) {
            return new Order(customer, entered, carriedBy, at, local, lines);
        }
    }

    /** Of {@link Key.Kind#NEW_ORDERS}: ascending. */
    record NewOrders(List<Integer> numbers) implements Row {}

    /** Of {@link Key.Kind#LAST_ORDER}. */
    record LastOrder(int number) implements Row {}

    /** How much a warehouse has of an item; a text for each district. */
    record Stock(int quantity, List<String> districts, long sold, int orders, int remote, String data) implements Row {
        private static final int LEAST_LEFT = 10;
        private static final int REFILL = 91;

        /** After a line of an order; below ten left it is filled up (clause 2.4.2.2). */
        Stock less(int count, boolean elsewhere) {
            int left = quantity - count;
            return new Stock(
                    left >= LEAST_LEFT ? left : left + REFILL,
                    districts,
                    sold + count,
                    orders + 1,
                    remote + (elsewhere ? 1 : 0),
                    data);
        }
    }

    /** What can be ordered. */
    record Item(int image, String name, long price, String data) implements Row {}
}
