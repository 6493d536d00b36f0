/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import java.util.List;

/** What a terminal asks for. Amounts are in cents, times in milliseconds since 1970. Immutable. */
public sealed interface TpccInput {
    /** A customer, by number or by last name. */
    record Who(int warehouse, int district, int id, int name) {
        /** @param id from 1 */
        static Who numbered(int warehouse, int district, int id) {
            return new Who(warehouse, district, id, -1);
        }

        /** @param name the last name's number */
        static Who named(int warehouse, int district, int name) {
            return new Who(warehouse, district, 0, name);
        }

        /** Whether only the last name is known. */
        public boolean isNamed() {
            return name >= 0;
        }
    }

    /** One line of an order. */
    record Line(int item, int supplier, int quantity) {}

    /** Whose name it goes by in reports. */
    TpccType type();

    /** Orders items, of which the last may be one that there is not: then nothing happens (clause 2.4.1.4). */
    record NewOrder(Unit.NewOrder unit) implements TpccInput {
        @Override
        public TpccType type() {
            return TpccType.NEW_ORDER;
        }
    }

    /** Takes money of a customer at a district. */
    record Payment(int warehouse, int district, Who who, long amount, long at, long id) implements TpccInput {
        @Override
        public TpccType type() {
            return TpccType.PAYMENT;
        }
    }

    /** Asks for a customer's last order. */
    record OrderStatus(Who who) implements TpccInput {
        @Override
        public TpccType type() {
            return TpccType.ORDER_STATUS;
        }
    }

    /** Delivers the oldest order of each district of a warehouse. */
    record Delivery(int warehouse, List<Integer> districts, int carrier, long at) implements TpccInput {
        public Delivery {
            districts = List.copyOf(districts);
        }

        @Override
        public TpccType type() {
            return TpccType.DELIVERY;
        }
    }

    /** Counts the items of a district's last 20 orders of which there are few. */
    record StockLevel(int warehouse, int district, int threshold) implements TpccInput {
        @Override
        public TpccType type() {
            return TpccType.STOCK_LEVEL;
        }
    }
}
