/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.cassandra.schema.TableId;

/**
 * A time during which each partition of a table stays with the same replicas. The middleware knows a table by a name
 * that holds for one epoch: what was stamped in one is never mistaken for news of another.
 *
 * @param number larger than that of every earlier epoch of the table
 * @param moved whether it follows another one, and not the enabling of the table
 * @param ring a digest of who holds which partition; see {@code PlacementKeeper}
 */
public record TableEpoch(long number, boolean moved, String ring) {
    static final TableEpoch NONE = new TableEpoch(0, false, "");

    /** The first epoch of a table, at its enabling. */
    static TableEpoch first(String ring) {
        return new TableEpoch(System.currentTimeMillis(), false, ring);
    }

    TableEpoch next(String nextRing) {
        return new TableEpoch(Math.max(number + 1, System.currentTimeMillis()), true, nextRing);
    }

    /** The table's name in the middleware, the same on all nodes. */
    public UUID idOf(TableId table) {
        byte[] name = (table.asUUID() + " " + number + " " + ring).getBytes(StandardCharsets.UTF_8);
        return UUID.nameUUIDFromBytes(name);
    }

    @Override
    public String toString() {
        return "epoch=" + number + (moved ? ",moved" : "") + ",ring=" + ring;
    }
}
