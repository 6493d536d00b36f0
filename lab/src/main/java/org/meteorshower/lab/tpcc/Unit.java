/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

import java.util.List;

/**
 * One transaction of a store. A terminal's request is one or a few of them: a Delivery is one for each district, as
 * clause 2.7.2.3 allows; a Stock-Level is one that finds the items and one that counts; whom a last name means is read
 * before. Immutable.
 */
public sealed interface Unit {
    /** Its number must be looked up in the transaction itself. The rollback's last item does not exist. */
    record NewOrder(int warehouse, int district, int customer, List<TpccInput.Line> lines, long at) implements Unit {
        public NewOrder {
            lines = List.copyOf(lines);
        }

        /** Whether the warehouse itself supplies all of it. */
        public boolean isLocal() {
            return lines.stream().allMatch(line -> line.supplier() == warehouse);
        }
    }

    /** @param id of the history's row, unlike any other's */
    record Payment(int warehouse, int district, TpccInput.Who who, long amount, long at, long id) implements Unit {}

    /** The customer, the last order and its lines. */
    record LastOrder(int warehouse, int district, int customer) implements Unit {}

    /** Delivers the oldest order of one district, if it has any. */
    record Deliver(int warehouse, int district, int carrier, long at) implements Unit {}

    /** The items of the last 20 orders. */
    record RecentItems(int warehouse, int district) implements Unit {}

    /** How many of these items there are less of than the threshold. */
    record CountBelow(int warehouse, int threshold, List<Integer> items) implements Unit {
        public CountBelow {
            items = List.copyOf(items);
        }
    }
}
