/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Why a request of a stock client was not served, as its coordinator tells in {@code meteorshower.refusals}: the Java
 * driver makes the texts of time-outs itself, and keeps nothing of what the node said.
 */
final class NodesReasons {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final SimpleStatement SELECT = SimpleStatement.newInstance(
                    "SELECT operation, table_name, last_at, last_message FROM meteorshower.refusals")
            .setConsistencyLevel(ConsistencyLevel.ONE)
            .setTimeout(LIMIT);

    /** Cuts and timestamps, which are others each time. */
    private static final Pattern LONG_NUMBERS = Pattern.compile("(?<![-0-9a-f])[0-9]{7,}(?![-0-9a-f])");

    private static final String NOT_TOLD = "the coordinator could not be asked why";

    private NodesReasons() {}

    /**
     * The newest reason of such requests there since the time given; empty where the node has refused none: then the
     * error is Cassandra's own. Blocks for two seconds at most.
     *
     * @param table with its keyspace
     * @param failure of the driver
     */
    static String of(CqlSession session, String table, boolean isRead, Instant since, DriverException failure) {
        Node coordinator = coordinator(failure);
        if (coordinator == null) {
            return NOT_TOLD;
        }
        String operation = isRead ? "read" : "write";
        Instant newest = since;
        String reason = "";
        try {
            for (Row row : session.execute(SELECT.setNode(coordinator))) {
                Instant at = row.getInstant("last_at");
                if (operation.equals(row.getString("operation"))
                        && table.equals(row.getString("table_name"))
                        && at != null
                        && !at.isBefore(newest)) {
                    newest = at;
                    reason = String.valueOf(row.getString("last_message"));
                }
            }
        } catch (DriverException e) {
            return NOT_TOLD;
        }
        return LONG_NUMBERS.matcher(reason).replaceAll("…");
    }

    private static @Nullable Node coordinator(DriverException failure) {
        ExecutionInfo info = StockAnswers.cause(failure) instanceof DriverException cause
                ? cause.getExecutionInfo()
                : failure.getExecutionInfo();
        return info == null ? null : info.getCoordinator();
    }
}
