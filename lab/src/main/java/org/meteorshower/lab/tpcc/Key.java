/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

/** Names a row. Immutable. */
public record Key(Kind kind, int warehouse, int district, long id) {
    /** What a row is. Rows that a table of the standard has as one may be several: clause 1.4.6 allows it. */
    public enum Kind {
        /** Without its sum, which Payments change. */
        WAREHOUSE,
        WAREHOUSE_YTD,
        /** Without its sum and its next order. */
        DISTRICT,
        DISTRICT_YTD,
        DISTRICT_NEXT,
        CUSTOMER,
        /** Which customers have a last name; id is the name's number. */
        NAMES,
        HISTORY,
        /** An order with its lines. */
        ORDER,
        /** The orders of a district that are not delivered: all of them, since they are read as a range. */
        NEW_ORDERS,
        /** The last order of a customer; id is the customer's. */
        LAST_ORDER,
        STOCK,
        ITEM;

        /** Whether nothing ever changes it, so that any copy will do. */
        public boolean isConstant() {
            return this == ITEM || this == NAMES;
        }
    }

    public static Key warehouse(int warehouse) {
        return new Key(Kind.WAREHOUSE, warehouse, 0, 0);
    }

    public static Key warehouseYtd(int warehouse) {
        return new Key(Kind.WAREHOUSE_YTD, warehouse, 0, 0);
    }

    /** One of the rows of which a district has one. */
    public static Key district(Kind kind, int warehouse, int district) {
        return new Key(kind, warehouse, district, 0);
    }

    public static Key customer(int warehouse, int district, int customer) {
        return new Key(Kind.CUSTOMER, warehouse, district, customer);
    }

    public static Key names(int warehouse, int district, int name) {
        return new Key(Kind.NAMES, warehouse, district, name);
    }

    public static Key order(int warehouse, int district, int order) {
        return new Key(Kind.ORDER, warehouse, district, order);
    }

    public static Key lastOrder(int warehouse, int district, int customer) {
        return new Key(Kind.LAST_ORDER, warehouse, district, customer);
    }

    public static Key stock(int warehouse, int item) {
        return new Key(Kind.STOCK, warehouse, 0, item);
    }

    public static Key item(int item) {
        return new Key(Kind.ITEM, 0, 0, item);
    }

    public static Key history(int warehouse, int district, long id) {
        return new Key(Kind.HISTORY, warehouse, district, id);
    }
}
