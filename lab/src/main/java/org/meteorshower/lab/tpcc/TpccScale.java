/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

/**
 * How much there is. Immutable.
 *
 * @param warehousesPerDc those whose terminals are in one data centre
 * @param districts of a warehouse, 1..10: a stock has as many texts, and no more
 * @param customers of a district, which has as many orders at first
 * @param items and stocks of a warehouse
 */
public record TpccScale(int warehousesPerDc, int districts, int customers, int items) {
    /** Clause 1.2.1, with one warehouse in a data centre. */
    public static final TpccScale STANDARD = new TpccScale(1, 10, 3_000, 100_000);

    /** Loaded within seconds. */
    public static final TpccScale SMALL = new TpccScale(1, 10, 30, 500);

    private static final int CUSTOMERS_OF_A_NAME = 3;

    /** Of the orders of a district at first, the last so many are not delivered: 900 of 3,000 (clause 4.3.3.1). */
    public int undelivered() {
        return Math.max(1, customers * 3 / 10);
    }

    /** How many last names there are: 1,000 for 3,000 customers of a district. */
    public int names() {
        return Math.max(1, Math.min(LastNames.COUNT, customers / CUSTOMERS_OF_A_NAME));
    }

    /** Whether districts, customers and items are as many as the standard says. */
    public boolean isStandard() {
        return districts == STANDARD.districts && customers == STANDARD.customers && items == STANDARD.items;
    }

    /** For people. */
    public String text() {
        return warehousesPerDc + (warehousesPerDc == 1 ? " warehouse" : " warehouses") + " in each data centre, "
                + districts + " districts each, " + customers + " customers a district, " + items + " items"
                + (isStandard() ? "" : " (the standard's: 10, 3000, 100000)");
    }
}
