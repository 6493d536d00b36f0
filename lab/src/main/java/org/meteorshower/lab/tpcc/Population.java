/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * The first rows (clause 4.3.3.1). The same seed gives the same ones.
 *
 * @param warehouses in all data centres
 */
public record Population(TpccScale scale, int warehouses, long seed, long now) {
    private static final long PAID = 1_000;
    private static final long LIMIT = 5_000_000;
    private static final int BAD_CREDIT = 10;

    /** What each customer has paid at first, in cents. */
    static long firstPayment() {
        return PAID;
    }

    /** Gives all rows, one after the other: items first, then each warehouse with all that is in it. */
    public void each(BiConsumer<Key, Row> taker) {
        Random random = new Random(seed);
        for (int item = 1; item <= scale.items(); item++) {
            taker.accept(
                    Key.item(item),
                    new Row.Item(
                            Draw.number(random, 1, 10_000),
                            Draw.text(random, 14, 24),
                            Draw.number(random, 100, 10_000),
                            Draw.data(random)));
        }
        for (int w = 1; w <= warehouses; w++) {
            taker.accept(
                    Key.warehouse(w),
                    new Row.Warehouse(Draw.text(random, 6, 10), Draw.address(random), Draw.number(random, 0, 2_000)));
            taker.accept(Key.warehouseYtd(w), new Row.Ytd(PAID * scale.customers() * scale.districts()));
            stocks(w, random, taker);
            for (int d = 1; d <= scale.districts(); d++) {
                district(w, d, random, taker);
            }
        }
    }

    private void stocks(int w, Random random, BiConsumer<Key, Row> taker) {
        for (int item = 1; item <= scale.items(); item++) {
            List<String> texts = new ArrayList<>();
            for (int d = 1; d <= scale.districts(); d++) {
                texts.add(Draw.text(random, 24, 24));
            }
            taker.accept(
                    Key.stock(w, item), new Row.Stock(Draw.number(random, 10, 100), texts, 0, 0, 0, Draw.data(random)));
        }
    }

    private void district(int w, int d, Random random, BiConsumer<Key, Row> taker) {
        taker.accept(
                Key.district(Key.Kind.DISTRICT, w, d),
                new Row.District(Draw.text(random, 6, 10), Draw.address(random), Draw.number(random, 0, 2_000)));
        taker.accept(Key.district(Key.Kind.DISTRICT_YTD, w, d), new Row.Ytd(PAID * scale.customers()));
        taker.accept(Key.district(Key.Kind.DISTRICT_NEXT, w, d), new Row.NextOrder(scale.customers() + 1));
        customers(w, d, random, taker);
        List<Integer> whose = new ArrayList<>(
                IntStream.rangeClosed(1, scale.customers()).boxed().toList());
        Collections.shuffle(whose, random);
        int delivered = scale.customers() - scale.undelivered();
        for (int number = 1; number <= scale.customers(); number++) {
            int customer = whose.get(number - 1);
            taker.accept(Key.order(w, d, number), order(w, customer, number <= delivered, random));
            taker.accept(Key.lastOrder(w, d, customer), new Row.LastOrder(number));
        }
        taker.accept(
                Key.district(Key.Kind.NEW_ORDERS, w, d),
                new Row.NewOrders(IntStream.rangeClosed(delivered + 1, scale.customers())
                        .boxed()
                        .toList()));
    }

    private void customers(int w, int d, Random random, BiConsumer<Key, Row> taker) {
        NuRand names = Inputs.loadedNames(scale, seed);
        Map<Integer, List<Integer>> byName = new TreeMap<>();
        Map<Integer, String> firsts = new TreeMap<>();
        for (int c = 1; c <= scale.customers(); c++) {
            // Each name at least once, as clause 4.3.3.1 has it of the first 1,000.
            int name = c <= scale.names() ? c - 1 : names.draw(random);
            String first = Draw.text(random, 8, 16);
            byName.computeIfAbsent(name, none -> new ArrayList<>()).add(c);
            firsts.put(c, first);
            Row.Person person =
                    new Row.Person(first, "OE", LastNames.of(name), Draw.address(random), Draw.digits(random, 16), now);
            Row.Terms terms = new Row.Terms(!Draw.percent(random, BAD_CREDIT), LIMIT, Draw.number(random, 0, 5_000));
            taker.accept(
                    Key.customer(w, d, c),
                    new Row.Customer(person, terms, -PAID, PAID, 1, 0, Draw.text(random, 300, 500)));
            taker.accept(
                    Key.history(w, d, c),
                    new Row.History(TpccInput.Who.numbered(w, d, c), now, PAID, Draw.text(random, 12, 24)));
        }
        byName.forEach((name, ids) -> taker.accept(
                Key.names(w, d, name),
                new Row.Names(
                        ids.stream().sorted(Comparator.comparing(firsts::get)).toList())));
    }

    private Row.Order order(int w, int customer, boolean delivered, Random random) {
        List<Row.Line> lines = new ArrayList<>();
        int count = Draw.number(random, 5, 15);
        for (int line = 1; line <= count; line++) {
            lines.add(new Row.Line(
                    Draw.number(random, 1, scale.items()),
                    w,
                    5,
                    delivered ? 0 : Draw.number(random, 1, 999_999),
                    Draw.text(random, 24, 24)));
        }
        return new Row.Order(
                customer, now, delivered ? Draw.number(random, 1, 10) : 0, delivered ? now : 0, true, lines);
    }
}
