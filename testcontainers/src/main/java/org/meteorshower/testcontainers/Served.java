/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.testcontainers;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Enables tables, and waits for what takes the nodes a moment. */
final class Served {
    private static final Duration WITHIN = Duration.ofMinutes(1);
    private static final long LOOK_EVERY_MILLIS = 100;

    private Served() {}

    static void enable(CqlSession cql, String keyspace, String table, String options) {
        SimpleStatement statement = options.isEmpty()
                ? SimpleStatement.newInstance(
                        "INSERT INTO meteorshower.tables (keyspace_name, table_name) VALUES (?, ?)", keyspace, table)
                : SimpleStatement.newInstance(
                        "INSERT INTO meteorshower.tables (keyspace_name, table_name, options) VALUES (?, ?, ?)",
                        keyspace,
                        table,
                        options);
        cql.execute(statement);
    }

    /** Until this data centre's node serves the table. */
    static void await(CqlSession cql, String dataCentre, String keyspace, String table) {
        SimpleStatement question = SimpleStatement.newInstance(
                "SELECT ready, state FROM meteorshower.tables WHERE keyspace_name = ? AND table_name = ?",
                keyspace,
                table);
        await(() -> {
            Row row = cql.execute(question).one();
            if (row == null) {
                return dataCentre + " does not know yet that " + keyspace + "." + table + " is enabled";
            }
            return row.getBoolean("ready") ? null : dataCentre + " says: " + row.getString("state");
        });
    }

    /** Until this node knows so many others. */
    static void awaitPeers(CqlSession cql, int count) {
        await(() -> {
            int known = cql.execute("SELECT peer FROM system.peers_v2").all().size();
            return known >= count ? null : "a node knows " + known + " of " + count + " others";
        });
    }

    private static void await(Supplier<@Nullable String> obstacle) {
        long endNanos = System.nanoTime() + WITHIN.toNanos();
        String last = obstacle.get();
        while (last != null) {
            if (System.nanoTime() - endNanos > 0) {
                throw new IllegalStateException("after " + WITHIN.toSeconds() + " s " + last);
            }
            try {
                Thread.sleep(LOOK_EVERY_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted while " + last, e);
            }
            last = obstacle.get();
        }
    }
}
