/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc.model;

import java.util.Objects;
import org.meteorshower.lab.tpcc.Key;

/**
 * Which data centre is a row's home.
 *
 * @param sites how many there are
 * @param near whether a warehouse's rows live where its terminals are; else partitions are dealt out
 * @param warehousesPerDc of each data centre, in their order
 */
record Homes(int sites, boolean near, int warehousesPerDc) {
    /** Its data centre's number. */
    int of(Key key) {
        if (near) {
            return Math.floorMod((key.warehouse() - 1) / warehousesPerDc, sites);
        }
        return switch (key.kind()) {
            case STOCK, LAST_ORDER -> dealt(key.kind(), key.warehouse(), key.district(), key.id());
            // Order, lines and what is new of a district lie together.
            case ORDER, NEW_ORDERS -> dealt(Key.Kind.ORDER, key.warehouse(), key.district(), 0);
            default -> dealt(key.kind(), key.warehouse(), key.district(), 0);
        };
    }

    private int dealt(Key.Kind kind, int warehouse, int district, long id) {
        int mixed = Objects.hash(kind.name(), warehouse, district, id) * 0x9E3779B9;
        return Math.floorMod(mixed >>> 16, sites);
    }
}
