/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The consistency conditions of clauses 3.3.2.1 to 3.3.2.12. The eleventh is of the first rows alone as the standard
 * has it; here orders that are not new are as many as those that were delivered at first and since, by who has a
 * carrier. For one thread.
 */
public final class Conditions {
    /** For people. */
    public static final String NAMES = "3.3.2.1 to 3.3.2.12";

    private static final int MOST_TOLD = 3;

    private record OrderId(Audit.Place place, int order) {}

    private record CustomerId(Audit.Place place, int customer) {}

    private final Audit audit;
    private final Map<Integer, List<String>> broken = new TreeMap<>();

    private Conditions(Audit audit) {
        this.audit = audit;
    }

    /** What is broken, in words, each with the number of its condition; empty where all hold. */
    public static List<String> broken(Audit audit) {
        Conditions conditions = new Conditions(audit);
        conditions.sums();
        conditions.numbers();
        conditions.lines();
        conditions.deliveries();
        conditions.customers();
        List<String> findings = new ArrayList<>();
        conditions.broken.forEach((condition, told) -> {
            told.subList(0, Math.min(MOST_TOLD, told.size()))
                    .forEach(text -> findings.add("condition 3.3.2." + condition + ": " + text));
            if (told.size() > MOST_TOLD) {
                findings.add("condition 3.3.2." + condition + ": and " + (told.size() - MOST_TOLD) + " more");
            }
        });
        return findings;
    }

    /** One, eight and nine: what was paid. */
    private void sums() {
        Map<Integer, Long> byDistricts =
                sum(audit.districts(), district -> district.place().warehouse(), Audit.District::ytd);
        Map<Integer, Long> byHistory =
                sum(audit.payments(), payment -> payment.place().warehouse(), Audit.Payment::amount);
        for (Audit.Warehouse warehouse : audit.warehouses()) {
            equal(
                    1,
                    "warehouse " + warehouse.id() + ", its sum and its districts'",
                    warehouse.ytd(),
                    byDistricts.get(warehouse.id()));
            equal(
                    8,
                    "warehouse " + warehouse.id() + ", its sum and the history's",
                    warehouse.ytd(),
                    byHistory.get(warehouse.id()));
        }
        Map<Audit.Place, Long> byPlace = sum(audit.payments(), Audit.Payment::place, Audit.Payment::amount);
        for (Audit.District district : audit.districts()) {
            equal(9, district.place() + ", its sum and the history's", district.ytd(), byPlace.get(district.place()));
        }
    }

    /** Two and three: orders are numbered one after the other, and so are those that are new. */
    private void numbers() {
        Map<Audit.Place, Integer> lastOrders = new HashMap<>();
        audit.orders().forEach(order -> lastOrders.merge(order.place(), order.id(), Math::max));
        Map<Audit.Place, List<Integer>> pending = new HashMap<>();
        audit.newOrders().forEach(order -> pending.computeIfAbsent(order.place(), none -> new ArrayList<>())
                .add(order.order()));
        for (Audit.District district : audit.districts()) {
            long last = district.next() - 1L;
            equal(2, district.place() + ", its next order less one and its last", last, (long)
                    lastOrders.getOrDefault(district.place(), 0));
            List<Integer> here = pending.getOrDefault(district.place(), List.of());
            if (!here.isEmpty()) {
                int first = here.stream().mapToInt(Integer::intValue).min().getAsInt();
                int most = here.stream().mapToInt(Integer::intValue).max().getAsInt();
                equal(2, district.place() + ", its next order less one and its last new one", last, (long) most);
                equal(3, district.place() + ", new orders by their numbers and counted", most - first + 1L, (long)
                        here.size());
            }
        }
    }

    /** Four and six: lines are as many as orders say. */
    private void lines() {
        Map<Audit.Place, Long> said = sum(audit.orders(), Audit.Order::place, Audit.Order::lines);
        Map<Audit.Place, Long> counted = sum(audit.lines(), Audit.Line::place, line -> 1);
        for (Audit.District district : audit.districts()) {
            Audit.Place place = district.place();
            equal(4, place + ", lines that orders say and lines", said.getOrDefault(place, 0L), counted.get(place));
        }
        Map<OrderId, Long> ofOrders = sum(audit.lines(), line -> new OrderId(line.place(), line.order()), line -> 1);
        for (Audit.Order order : audit.orders()) {
            OrderId id = new OrderId(order.place(), order.id());
            equal(6, id + ", lines that it says and lines", order.lines(), ofOrders.get(id));
        }
    }

    /** Five, seven and eleven: an order is new or delivered, and its lines with it. */
    private void deliveries() {
        Set<OrderId> pending = new HashSet<>();
        audit.newOrders().forEach(order -> pending.add(new OrderId(order.place(), order.order())));
        for (Audit.Order order : audit.orders()) {
            OrderId id = new OrderId(order.place(), order.id());
            if (order.carried() == pending.contains(id)) {
                told(5, id + (order.carried() ? " has a carrier and is new" : " has no carrier and is not new"));
            }
            if (order.carried() != order.delivered()) {
                told(
                        7,
                        id
                                + (order.carried()
                                        ? " has a carrier, its lines no date"
                                        : " has no carrier, its lines a date"));
            }
        }
        Map<Audit.Place, Long> orders = sum(audit.orders(), Audit.Order::place, order -> 1);
        Map<Audit.Place, Long> news = sum(audit.newOrders(), Audit.NewOrder::place, order -> 1);
        Map<Audit.Place, Long> carried = sum(audit.orders(), Audit.Order::place, order -> order.carried() ? 1 : 0);
        for (Audit.District district : audit.districts()) {
            Audit.Place place = district.place();
            equal(
                    11,
                    place + ", orders that are not new and that have a carrier",
                    orders.getOrDefault(place, 0L) - news.getOrDefault(place, 0L),
                    carried.get(place));
        }
    }

    /** Ten and twelve: what customers have is what was delivered to them less what they paid. */
    private void customers() {
        Map<OrderId, CustomerId> whose = new HashMap<>();
        audit.orders().stream()
                .filter(Audit.Order::delivered)
                .forEach(order -> whose.put(
                        new OrderId(order.place(), order.id()), new CustomerId(order.place(), order.customer())));
        Map<CustomerId, Long> given = new HashMap<>();
        for (Audit.Line line : audit.lines()) {
            CustomerId customer = whose.get(new OrderId(line.place(), line.order()));
            if (customer != null) {
                given.merge(customer, line.amount(), Long::sum);
            }
        }
        Map<CustomerId, Long> paid = sum(
                audit.payments(), payment -> new CustomerId(payment.home(), payment.customer()), Audit.Payment::amount);
        for (Audit.Customer customer : audit.customers()) {
            CustomerId id = new CustomerId(customer.place(), customer.id());
            long delivered = given.getOrDefault(id, 0L);
            equal(
                    10,
                    id + ", what it has and what was delivered less what was paid",
                    customer.balance(),
                    delivered - paid.getOrDefault(id, 0L));
            equal(
                    12,
                    id + ", what it has and has paid, and what was delivered",
                    customer.balance() + customer.paid(),
                    delivered);
        }
    }

    private static <T, K> Map<K, Long> sum(List<T> rows, Function<T, K> key, ToLongFunction<T> value) {
        Map<K, Long> sums = new HashMap<>();
        rows.forEach(row -> sums.merge(key.apply(row), value.applyAsLong(row), Long::sum));
        return sums;
    }

    private void equal(int condition, String what, long one, @Nullable Long other) {
        long there = Objects.requireNonNullElse(other, 0L);
        if (one != there) {
            told(condition, what + ": " + one + " and " + there);
        }
    }

    private void told(int condition, String text) {
        broken.computeIfAbsent(condition, none -> new ArrayList<>()).add(text);
    }
}
