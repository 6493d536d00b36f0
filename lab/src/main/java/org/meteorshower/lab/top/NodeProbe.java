/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.top;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.auth.AuthenticationException;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.FrugalDriver;

/**
 * Asks one node, over a connection of its own to no other. Connects again where that was lost. For one thread at a
 * time.
 */
final class NodeProbe implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** An idle peer is heard ten times a second. */
    private static final long HEARD_MICROS = 2_000_000;

    private static final List<String> FIGURES = List.of(
            "incarnation",
            "tables_enabled",
            "records",
            "max_records",
            "journal_bytes",
            "journal_limit_bytes",
            "waiting_reads",
            "pending_writes",
            "clock_ahead_micros");

    private final Target target;
    private final @Nullable Credentials credentials;
    private @Nullable CqlSession session;

    NodeProbe(Target target, @Nullable Credentials credentials) {
        this.target = target;
        this.credentials = credentials;
    }

    /** Who asks. */
    record Credentials(String user, String password) {}

    /** The node did not tell; the message says why, and what helps. */
    static final class SilentException extends Exception {
        private static final long serialVersionUID = 1L;

        SilentException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    Target target() {
        return target;
    }

    Reading read() throws SilentException {
        try {
            CqlSession asked = session();
            Map<String, Long> node = new HashMap<>();
            List<String> troubles = new ArrayList<>();
            for (Row row : asked.execute("SELECT * FROM meteorshower.node")) {
                FIGURES.forEach(figure -> node.put(figure, row.getLong(figure)));
                if (!row.getBoolean("running")) {
                    troubles.add("the plugin has stopped: its log says why; restart the node");
                }
            }
            List<Reading.Peer> peers = peers(asked, troubles);
            List<Row> tables =
                    asked.execute("SELECT * FROM meteorshower.tables").all();
            troubles.addAll(unavailable(asked, tables));
            violations(asked, troubles);
            leases(asked, troubles);
            TransactionsReading transactions = TransactionsReading.of(asked, tables, troubles);
            return new Reading(
                    System.nanoTime(),
                    node,
                    reads(asked),
                    writes(asked),
                    memory(asked, troubles),
                    transactions,
                    peers,
                    refused(asked, troubles),
                    troubles);
        } catch (DriverException e) {
            forget();
            throw new SilentException(explain(e), e);
        }
    }

    private static Map<String, Reading.Reads> reads(CqlSession session) {
        Map<String, Reading.Reads> reads = new TreeMap<>();
        for (Row row : session.execute("SELECT * FROM meteorshower.reads")) {
            reads.put(
                    row.getString("keyspace_name") + "." + row.getString("table_name") + " " + row.getString("mode"),
                    new Reading.Reads(
                            row.getLong("local"),
                            row.getLong("older"),
                            row.getLong("waited"),
                            row.getLong("pulled"),
                            row.getLong("forwarded"),
                            row.getLong("refused"),
                            figure(row, "latency_p50_micros"),
                            figure(row, "latency_p99_micros"),
                            figure(row, "staleness_p50_micros")));
        }
        return reads;
    }

    private static Map<String, Reading.Writes> writes(CqlSession session) {
        Map<String, Reading.Writes> writes = new TreeMap<>();
        for (Row row : session.execute("SELECT * FROM meteorshower.writes")) {
            writes.put(
                    row.getString("keyspace_name") + "." + row.getString("table_name"),
                    new Reading.Writes(
                            row.getLong("acknowledged"),
                            row.getLong("unknown"),
                            row.getLong("refused"),
                            row.getLong("failed"),
                            figure(row, "latency_p50_micros"),
                            figure(row, "latency_p99_micros")));
        }
        return writes;
    }

    private static List<Reading.Peer> peers(CqlSession session, List<String> troubles) {
        List<Reading.Peer> peers = new ArrayList<>();
        for (Row row : session.execute("SELECT * FROM meteorshower.peers")) {
            Reading.Peer peer = new Reading.Peer(
                    String.valueOf(row.getString("address")),
                    String.valueOf(row.getString("state")),
                    String.valueOf(row.getString("stream")),
                    figure(row, "lag_micros"),
                    figure(row, "skew_micros"));
            peers.add(peer);
            if (!peer.state().equals("in step")) {
                troubles.add("peer " + peer.address() + " is " + peer.state());
            } else if (peer.stream().equals("refused")) {
                troubles.add("peer " + peer.address()
                        + " has left this node behind, which comes back by itself unless automatic_return is off"
                        + " (docs/OPERATE.md, \"A peer was left behind\")");
            } else if (peer.stream().equals("behind")) {
                troubles.add(
                        "peer " + peer.address() + " waits for this node, which is being filled with what it missed");
            } else if (!peer.stream().equals("live")) {
                Long silentMicros = figure(row, "silent_micros");
                troubles.add("no news of peer " + peer.address() + ", "
                        + (silentMicros == null
                                ? "which was not heard since this node's start: it is down, cut off or without the plugin"
                                : silentMicros < HEARD_MICROS
                                        ? "which is heard: its stream begins just now"
                                        : "silent for " + silentMicros / 1_000_000
                                                + " s: it is down, cut off or without the plugin"));
            }
        }
        return peers;
    }

    private static void violations(CqlSession session, List<String> troubles) {
        try {
            for (Row row : session.execute("SELECT violations FROM meteorshower.online_check")) {
                long violations = row.getLong(0);
                if (violations > 0) {
                    troubles.add("THE ONLINE CHECKER FOUND " + violations + " VIOLATIONS: SELECT * FROM"
                            + " meteorshower.violations, and see docs/OPERATE.md");
                }
            }
        } catch (InvalidQueryException e) {
            // A version of the plugin that has no online checker; one may look at both during an upgrade.
        }
    }

    private static void leases(CqlSession session, List<String> troubles) {
        try {
            for (Row row : session.execute("SELECT * FROM meteorshower.leases")) {
                if (row.getBoolean("lags")) {
                    troubles.add("peer " + row.getString("address") + " does not keep up with writes of tables with"
                            + " strict=home: strict reads wait there (docs/OPERATE.md, \"Strict reads at home wait\")");
                }
            }
        } catch (InvalidQueryException e) {
            // A version of the plugin without leases.
        }
    }

    private static Map<String, MemoryReading> memory(CqlSession session, List<String> troubles) {
        Map<String, MemoryReading> users = MemoryReading.of(session);
        users.forEach((user, held) -> {
            if (held.isNearItsEnd(user)) {
                troubles.add("memory of " + user + " is nearly full (" + Math.round(100 * held.share())
                        + " %): SELECT * FROM meteorshower.memory says what happens at its end");
            }
        });
        return users;
    }

    private static List<String> unavailable(CqlSession session, List<Row> tables) {
        List<String> troubles = new ArrayList<>();
        for (Row row : tables) {
            if (!row.getBoolean("ready")) {
                troubles.add(row.getString("keyspace_name") + "." + row.getString("table_name") + " is not served: "
                        + row.getString("state"));
            }
        }
        for (Row row : session.execute("SELECT * FROM meteorshower.modes")) {
            if (!row.getBoolean("available")) {
                troubles.add("mode " + row.getString("mode") + " is refused: " + row.getString("why_not"));
            }
        }
        return troubles;
    }

    /** How many requests were refused in all; those of the last minute are troubles. */
    private static long refused(CqlSession session, List<String> troubles) {
        long refused = 0;
        for (Row row : session.execute("SELECT * FROM meteorshower.refusals")) {
            refused += row.getLong("times");
            Instant last = row.getInstant("last_at");
            if (last != null && last.isAfter(Instant.now().minusSeconds(60))) {
                troubles.add("refused " + row.getLong("times") + " times, lately: " + row.getString("operation") + " "
                        + row.getString("table_name") + ": " + row.getString("last_message"));
            }
        }
        return refused;
    }

    static @Nullable Long figure(Row row, String column) {
        return row.isNull(column) ? null : Long.valueOf(row.getLong(column));
    }

    private String explain(DriverException e) {
        Throwable cause = Unreachable.ofNode(e);
        String text = String.valueOf(cause.getMessage());
        if (cause instanceof AuthenticationException) {
            return "wants a user and a password: give --user, and the password in the environment as CQL_PASSWORD";
        } else if (cause instanceof UnauthorizedException) {
            return "refuses: " + text
                    + " (its role needs GRANT SELECT ON meteorshower.node TO …, and so for each of the tables; docs/OPERATE.md)";
        } else if (cause instanceof InvalidQueryException && text.contains("keyspace meteorshower does not exist")) {
            return "runs without the plugin, or the plugin did not start: its log says why";
        } else if (cause instanceof InvalidQueryException) {
            return "runs another version of the plugin: " + text;
        }
        return "does not answer at " + target.place() + ": " + Unreachable.why(cause);
    }

    private CqlSession session() {
        CqlSession open = session;
        if (open == null) {
            CqlSessionBuilder builder = CqlSession.builder()
                    .withNodeDistanceEvaluator((node, local) ->
                            node.getEndPoint().resolve().equals(target.address()) ? null : NodeDistance.IGNORED)
                    .withConfigLoader(config())
                    .addContactPoint(new InetSocketAddress(
                            target.address().getAddress(), target.address().getPort()))
                    .withLocalDatacenter(target.dc());
            if (credentials != null) {
                builder.withAuthCredentials(credentials.user(), credentials.password());
            }
            open = builder.build();
            session = open;
        }
        return open;
    }

    static DriverConfigLoader config() {
        return FrugalDriver.settings(PATIENCE).build();
    }

    private void forget() {
        CqlSession lost = session;
        session = null;
        if (lost != null) {
            var unused = lost.forceCloseAsync();
        }
    }

    @Override
    public void close() {
        forget();
    }
}
