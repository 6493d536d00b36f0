/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.top;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What one node told of transactions. Immutable by agreement.
 *
 * @param runner null where another node runs the process of the data centre
 * @param kinds what became of its clients' transactions since its start: write, strict, snapshot
 */
record TransactionsReading(@Nullable Runner runner, Map<String, Outcomes> kinds) {
    /**
     * What runs the transactions of the node's data centre.
     *
     * @param whole whether it has its votes and tables
     * @param waiting requests without an answer
     * @param executed entries of the log
     * @param persistMicros what a batch took to be durable
     */
    record Runner(boolean whole, long waiting, long executed, long persistMicros) {
        /** Both as one: there is one for each group of lanes. */
        Runner and(Runner other) {
            return new Runner(
                    whole && other.whole,
                    waiting + other.waiting,
                    executed + other.executed,
                    Math.max(persistMicros, other.persistMicros));
        }
    }

    /** Of one kind; latencies in microseconds, null where nothing was carried out in the last minute. */
    record Outcomes(
            long committed,
            long aborted,
            long refused,
            long unknown,
            @Nullable Long latencyP50,
            @Nullable Long latencyP99) {
        static final Outcomes NONE = new Outcomes(0, 0, 0, 0, null, null);
    }

    /** The data centre, and its group of lanes where nodes tell that. */
    private static String nameOf(Row lane) {
        return "data centre " + lane.getString("data_centre")
                + (lane.getColumnDefinitions().contains("lane_group")
                        ? " (group " + lane.getString("lane_group") + ")"
                        : "");
    }

    /** Or is about to. */
    private static boolean takesPart(Row table) {
        return table.getColumnDefinitions().contains("transactions") && !table.isNull("transactions");
    }

    /**
     * Asks for it.
     *
     * @param tables rows of {@code meteorshower.tables}. Before one of them takes part nobody runs transactions, and
     *     nothing is wrong
     * @param troubles gets what an operator should look at
     * @return null where transactions are not configured, or the plugin is an older one
     */
    static @Nullable TransactionsReading of(CqlSession session, List<Row> tables, List<String> troubles) {
        List<Row> lanes;
        List<Row> outcomes;
        try {
            lanes = session.execute("SELECT * FROM meteorshower.transactions").all();
            outcomes = session.execute("SELECT * FROM meteorshower.transaction_outcomes")
                    .all();
        } catch (InvalidQueryException e) {
            return null;
        }
        Runner runner = null;
        for (Row lane : lanes) {
            if (lane.getColumnDefinitions().contains("trouble") && !lane.isNull("trouble")) {
                troubles.add("transactions of " + nameOf(lane) + ": " + lane.getString("trouble"));
            } else if (tables.stream().anyMatch(TransactionsReading::takesPart) && lane.isNull("representative")) {
                troubles.add("no node is known that runs the transactions of " + nameOf(lane)
                        + ": it is down or cut off, or their logs say why none does");
            }
            if (!lane.isNull("executed")) {
                Runner one = new Runner(
                        lane.getBoolean("whole"),
                        lane.getLong("waiting"),
                        lane.getLong("executed"),
                        lane.getLong("persist_micros"));
                runner = runner == null ? one : runner.and(one);
            }
        }
        if (runner != null && !runner.whole()) {
            troubles.add("what runs the transactions of this data centre has lost its disk, and is not whole yet");
        }
        Map<String, Outcomes> kinds = new TreeMap<>();
        outcomes.forEach(row -> kinds.put(
                String.valueOf(row.getString("kind")),
                new Outcomes(
                        row.getLong("committed"),
                        row.getLong("aborted"),
                        row.getLong("refused"),
                        row.getLong("unknown"),
                        NodeProbe.figure(row, "latency_p50_micros"),
                        NodeProbe.figure(row, "latency_p99_micros"))));
        return new TransactionsReading(runner, kinds);
    }
}
