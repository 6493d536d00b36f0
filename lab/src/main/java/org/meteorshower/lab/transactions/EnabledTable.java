/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.Waiting;

/** Lets tables take part in Catenae's transactions, and waits until nodes have heard of it. */
public final class EnabledTable {
    private static final long READY_NANOS = TimeUnit.SECONDS.toNanos(90);
    private static final Duration PAUSE = Duration.ofMillis(250);

    private EnabledTable() {}

    /** Throws {@link ClusterException} where it is refused for longer than 90 seconds. */
    public static void enable(CqlSession session, String keyspace, String table) {
        eventually(
                keyspace + "." + table,
                () -> session.execute("UPDATE meteorshower.tables SET transactions = true WHERE keyspace_name = '"
                        + keyspace + "' AND table_name = '" + table + "'"));
    }

    /** Waits until this session's node reads the table, whose key is an {@code int id}, within transactions. */
    public static void awaitTransactions(CqlSession session, String keyspace, String table) {
        String name = keyspace + "." + table;
        eventually(
                name,
                () -> session.execute("BEGIN TRANSACTION SELECT * FROM " + name + " WHERE id = 0; COMMIT TRANSACTION"));
    }

    /** Does a step on a table until it goes well: nodes learn of a new table, and serve it, a little later. */
    public static void eventually(String table, Runnable step) {
        long deadline = System.nanoTime() + READY_NANOS;
        while (true) {
            try {
                step.run();
                return;
            } catch (DriverException e) {
                if (System.nanoTime() - deadline >= 0) {
                    throw new ClusterException(
                            "the table " + table + " takes no transactions after "
                                    + TimeUnit.NANOSECONDS.toSeconds(READY_NANOS) + " s: " + e.getMessage(),
                            e);
                }
                Waiting.pause(PAUSE);
            }
        }
    }
}
