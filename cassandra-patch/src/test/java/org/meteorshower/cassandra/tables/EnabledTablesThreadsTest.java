/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("threads")
class EnabledTablesThreadsTest {
    private static final TableId ONE = TableId.fromUUID(new UUID(9, 1));
    private static final TableId TWO = TableId.fromUUID(new UUID(9, 2));

    @Test
    void aReaderSeesAChangeWholeOrNotAtAllEvenIfTheMapIsUsedAgain() throws Exception {
        EnabledTables tables = new EnabledTables();
        ExecutorService threads = Executors.newFixedThreadPool(1);
        AtomicBoolean ended = new AtomicBoolean();
        try {
            Future<Integer> reader = threads.submit(() -> {
                int changes = 0;
                int before = 0;
                while (!ended.get()) {
                    Map<TableId, UUID> ids = tables.ids();
                    Map<TableId, TableOptions> all = tables.all();
                    UUID one = ids.get(ONE);
                    UUID two = ids.get(TWO);
                    if (one == null ? two != null : !one.equals(two)) {
                        throw new AssertionError("half of a change: " + one + " and " + two);
                    }
                    if (all.containsKey(ONE) != all.containsKey(TWO)) {
                        throw new AssertionError("one of two tables that come and go together");
                    }
                    changes += all.size() == before ? 0 : 1;
                    before = all.size();
                }
                return changes;
            });
            Map<TableId, UUID> ids = new HashMap<>();
            Map<TableId, TableOptions> all = new HashMap<>();
            for (int n = 0; n < 200_000; n++) {
                ids.put(ONE, new UUID(1, n));
                ids.put(TWO, new UUID(1, n));
                tables.follow(ids);
                if (all.isEmpty()) {
                    all.put(ONE, TableOptions.DEFAULT);
                    all.put(TWO, TableOptions.DEFAULT);
                } else {
                    all.clear();
                }
                tables.replace(all);
                assertThat(tables.none()).isEqualTo(all.isEmpty());
            }
            ended.set(true);
            assertThat(reader.get(60, TimeUnit.SECONDS)).isPositive();
        } finally {
            ended.set(true);
            threads.shutdownNow();
        }
    }

    @Test
    void aThreadThatOnlyReadsSeesAChange() throws Exception {
        EnabledTables tables = new EnabledTables();
        ExecutorService threads = Executors.newFixedThreadPool(1);
        try {
            Future<?> reader = threads.submit(() -> {
                // Nothing here makes the thread look again but the field's being volatile.
                while (tables.none()) {}
            });
            Thread.sleep(300); // until the loop is compiled
            tables.replace(Map.of(ONE, TableOptions.DEFAULT));
            reader.get(30, TimeUnit.SECONDS);
        } finally {
            threads.shutdownNow();
        }
    }
}
