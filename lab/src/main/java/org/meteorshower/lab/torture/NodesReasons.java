/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.LockSupport;
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

    /** One that has just started may not be ready to answer. */
    private static final int ATTEMPTS = 3;

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private NodesReasons() {}

    /**
     * The newest reason of such requests there since the time given; empty where the node has refused none: then the
     * error is Cassandra's own. Blocks for eight seconds at most.
     *
     * @param table with its keyspace
     * @param failure of the driver
     */
    static String of(CqlSession session, String table, boolean isRead, Instant since, DriverException failure) {
        Throwable cause = StockAnswers.cause(failure);
        if (cause instanceof OverloadedException) { // the driver keeps what the node says of this one
            return withoutNumbers(String.valueOf(cause.getMessage()));
        }
        Node coordinator = coordinator(failure);
        if (coordinator == null) {
            return NOT_TOLD;
        }
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            try {
                return asked(session, coordinator, table, isRead ? "read" : "write", since);
            } catch (DriverException e) {
                LockSupport.parkNanos(attempt < ATTEMPTS ? PAUSE.toNanos() : 0);
            }
        }
        return NOT_TOLD;
    }

    private static String asked(CqlSession session, Node coordinator, String table, String operation, Instant since) {
        Instant newest = since;
        String reason = "";
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
        return withoutNumbers(reason);
    }

    private static String withoutNumbers(String reason) {
        return LONG_NUMBERS.matcher(reason).replaceAll("…");
    }

    private static @Nullable Node coordinator(DriverException failure) {
        ExecutionInfo info = StockAnswers.cause(failure) instanceof DriverException cause
                ? cause.getExecutionInfo()
                : failure.getExecutionInfo();
        return info == null ? null : info.getCoordinator();
    }
}
