/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** What a node tells of itself in its virtual tables. For one thread. */
final class TableProbe {
    private final CqlSession session;

    /**
     * What it told.
     *
     * @param budgets of each user of its memory; empty where the plugin has no such table
     * @param led the lanes whose leader it says it is
     * @param records mutations in flight
     * @param waiting requests for transactions without an answer
     * @param executed entries of the transactions' log
     * @param whole whether its transactions have not lost what they had on disk, or have it again
     */
    record Told(
            List<Budgets.Use> budgets,
            Set<String> led,
            long records,
            long journalBytes,
            long waiting,
            long executed,
            boolean whole) {}

    TableProbe(CqlSession session) {
        this.session = session;
    }

    /** Throws the driver's exceptions where it does not answer. */
    Told look() {
        Row node = session.execute("SELECT * FROM meteorshower.node").one();
        Set<String> led = new HashSet<>();
        long waiting = 0;
        long executed = 0;
        boolean whole = true;
        for (Row lane : session.execute("SELECT * FROM meteorshower.transactions")) {
            if (lane.getBoolean("led_here")) {
                led.add(String.valueOf(lane.getString("data_centre")));
            }
            waiting += lane.getLong("waiting");
            executed += lane.getLong("executed");
            whole &= lane.isNull("whole") || lane.getBoolean("whole");
        }
        return new Told(
                budgets(),
                led,
                node == null ? 0 : node.getLong("records"),
                node == null ? 0 : node.getLong("journal_bytes"),
                waiting,
                executed,
                whole);
    }

    private List<Budgets.Use> budgets() {
        List<Budgets.Use> budgets = new ArrayList<>();
        try {
            for (Row row : session.execute("SELECT * FROM meteorshower.memory")) {
                budgets.add(new Budgets.Use(
                        String.valueOf(row.getString("user")),
                        number(row, "used_bytes"),
                        number(row, "limit_bytes"),
                        number(row, "peak_bytes"),
                        number(row, "times_full")));
            }
        } catch (InvalidQueryException e) {
            return List.of(); // a version of the plugin without the table
        }
        return budgets;
    }

    private static long number(Row row, String column) {
        return row.getObject(column) instanceof Number number ? number.longValue() : 0;
    }

    /**
     * Why this node is not as before; empty where it is.
     *
     * @param mostRecords mutations in flight that are none to speak of
     */
    String obstacle(long mostRecords) {
        try {
            for (Row row : session.execute("SELECT * FROM meteorshower.tables")) {
                if (!row.getBoolean("ready")) {
                    return row.getString("table_name") + " is not served: " + row.getString("state");
                }
            }
            for (Row row : session.execute("SELECT * FROM meteorshower.peers")) {
                if (!"in step".equals(row.getString("state")) || !"live".equals(row.getString("stream"))) {
                    return "peer " + row.getString("address") + " is " + row.getString("state") + ", its stream "
                            + row.getString("stream");
                }
            }
            Told told = look();
            if (told.records() > mostRecords) {
                return told.records() + " mutations are in flight";
            }
            if (!told.whole()) {
                return "its transactions are not whole again";
            }
            return told.waiting() > 0 ? told.waiting() + " transactions wait" : "";
        } catch (DriverException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
