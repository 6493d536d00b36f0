/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** What terminals ask, drawn as clauses 2.4.1 to 2.8.1 say. Each call takes its own random numbers: thread-safe. */
public final class Inputs {
    private static final int REMOTE_LINE = 1;
    private static final int REMOTE_PAYMENT = 15;
    private static final int ROLLBACK = 1;
    private static final int BY_NAME = 60;

    private final TpccScale scale;
    private final int warehouses;
    private final NuRand customers;
    private final NuRand items;
    private final NuRand names;

    /**
     * @param warehouses in all data centres
     * @param seed of the constants; the same as the population's
     */
    public Inputs(TpccScale scale, int warehouses, long seed) {
        this.scale = scale;
        this.warehouses = warehouses;
        SplittableRandom random = new SplittableRandom(seed);
        NuRand loaded = NuRand.names(scale, random);
        names = NuRand.namesAsked(loaded, random);
        customers = NuRand.customers(scale, random);
        items = NuRand.items(scale, random);
    }

    /** The distribution of the names that were loaded with this seed. */
    static NuRand loadedNames(TpccScale scale, long seed) {
        return NuRand.names(scale, new SplittableRandom(seed));
    }

    /**
     * What a terminal asks next.
     *
     * @param district the terminal's own, which only Stock-Level keeps to
     */
    public TpccInput next(TpccType type, int warehouse, int district, RandomGenerator random) {
        long now = System.currentTimeMillis();
        return switch (type) {
            case NEW_ORDER -> newOrder(warehouse, now, random);
            case PAYMENT -> payment(warehouse, now, random);
            case ORDER_STATUS -> new TpccInput.OrderStatus(who(warehouse, district(random), random));
            case DELIVERY ->
                new TpccInput.Delivery(
                        warehouse,
                        IntStream.rangeClosed(1, scale.districts()).boxed().toList(),
                        Draw.number(random, 1, 10),
                        now);
            case STOCK_LEVEL -> new TpccInput.StockLevel(warehouse, district, Draw.number(random, 10, 20));
        };
    }

    private TpccInput newOrder(int warehouse, long now, RandomGenerator random) {
        int count = Draw.number(random, 5, 15);
        boolean rollback = Draw.percent(random, ROLLBACK);
        List<TpccInput.Line> lines = new ArrayList<>();
        for (int line = 1; line <= count; line++) {
            int item = rollback && line == count ? scale.items() + 1 : items.draw(random);
            int supplier = Draw.percent(random, REMOTE_LINE) ? another(warehouse, random) : warehouse;
            lines.add(new TpccInput.Line(item, supplier, Draw.number(random, 1, 10)));
        }
        return new TpccInput.NewOrder(
                new Unit.NewOrder(warehouse, district(random), customers.draw(random), lines, now));
    }

    private TpccInput payment(int warehouse, long now, RandomGenerator random) {
        int district = district(random);
        boolean remote = warehouses > 1 && Draw.percent(random, REMOTE_PAYMENT);
        TpccInput.Who who =
                who(remote ? another(warehouse, random) : warehouse, remote ? district(random) : district, random);
        return new TpccInput.Payment(
                warehouse, district, who, Draw.number(random, 100, 500_000), now, random.nextLong());
    }

    private TpccInput.Who who(int warehouse, int district, RandomGenerator random) {
        return Draw.percent(random, BY_NAME)
                ? TpccInput.Who.named(warehouse, district, names.draw(random))
                : TpccInput.Who.numbered(warehouse, district, customers.draw(random));
    }

    private int district(RandomGenerator random) {
        return Draw.number(random, 1, scale.districts());
    }

    /** Itself where there is no other. */
    private int another(int warehouse, RandomGenerator random) {
        return warehouses == 1 ? warehouse : (warehouse + random.nextInt(warehouses - 1)) % warehouses + 1;
    }
}
