/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Consumer;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.partitions.PartitionUpdate.SimpleBuilder;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.store.TestTables;

/** How new what an update writes is: what transactions write, deletions too, is newer than all that is late. */
class ClosedTablesTest {
    private static final long MICROS = 1_795_000_000_000_000L;

    private static long latest(Consumer<SimpleBuilder> what) {
        SimpleBuilder builder = PartitionUpdate.simpleBuilder(TestTables.CART, "k");
        builder.timestamp(MICROS);
        what.accept(builder);
        return ClosedTables.latestMicros(builder.build());
    }

    @Test
    void eachKindOfUpdateHasItsTimestamp() {
        assertThat(latest(update -> update.row(1).add("a", "x"))).isEqualTo(MICROS);
        assertThat(latest(update -> update.row().add("s", "x"))).as("static").isEqualTo(MICROS);
        assertThat(latest(update -> update.row(1).delete())).as("a row deleted").isEqualTo(MICROS);
        assertThat(latest(update -> update.row(1).delete("a")))
                .as("a column deleted")
                .isEqualTo(MICROS);
        assertThat(latest(SimpleBuilder::delete)).as("a partition deleted").isEqualTo(MICROS);
        assertThat(latest(update -> update.addRangeTombstone().start(1).end(3)))
                .as("some rows deleted")
                .isEqualTo(MICROS);
    }

    @Test
    void theNewestCounts() {
        assertThat(latest(update -> {
                    update.row(1).add("a", "x");
                    update.timestamp(MICROS + 7);
                    update.row(2).delete();
                }))
                .isEqualTo(MICROS + 7);
    }
}
