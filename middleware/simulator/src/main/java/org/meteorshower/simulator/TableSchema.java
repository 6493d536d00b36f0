/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.UUID;

/**
 * What the simulated schema says of a table that is disabled and enabled again.
 *
 * @param change counts its changes; of two the later one counts
 * @param epoch how often it was enabled
 * @param enabled whether it is
 */
record TableSchema(int change, int epoch, boolean enabled) {
    static final TableSchema FIRST = new TableSchema(0, 1, true);

    /** The table's name in the protocol. */
    UUID name() {
        return new UUID(9, epoch);
    }

    TableSchema next() {
        return new TableSchema(change + 1, enabled ? epoch : epoch + 1, !enabled);
    }

    @Override
    public String toString() {
        return enabled ? "enabled for time " + epoch : "disabled for time " + epoch;
    }
}
