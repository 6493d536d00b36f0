/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.ReadTimeoutException;
import org.apache.cassandra.exceptions.UnavailableException;
import org.apache.cassandra.schema.Schema;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.config.TransactionsConfig;
import org.meteorshower.cassandra.transactions.LaneGroup;
import org.meteorshower.cassandra.transactions.cql.ProcedureId;
import org.meteorshower.cassandra.transactions.cql.ProcedureStore;

/**
 * {@code meteorshower_transactions.procedures}, in all data centres: written by compare-and-set, read by QUORUM, so
 * that a majority of all replicas must be up, as for transactions. Clients may look at it. Thread-safe; blocks.
 */
public final class ProcedureTable implements ProcedureStore {
    /** Of a keyspace, those that can be called. Two that are registered in one moment may make it one more. */
    static final int MOST_LIVE = 1_000;

    /** With those that were dropped, of which the hash of the text is kept. */
    static final int MOST_EVER = 10_000;

    private static final String TABLE = LogKeyspace.PREFIX + "." + LogKeyspace.PROCEDURES;
    private static final String KEY = " WHERE keyspace_name = ? AND name = ? AND version = ?";

    private final TransactionsConfig config;

    public ProcedureTable(TransactionsConfig config) {
        this.config = config;
    }

    /**
     * A thread that reads behind the requests, while there is something to read. What it has no room for is refused.
     */
    public static Executor background() {
        ThreadPoolExecutor thread = new ThreadPoolExecutor(
                1,
                1,
                10,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(MOST_LIVE),
                new NamedThreadFactory("MeteorShower-Procedures"));
        thread.allowCoreThreadTimeOut(true);
        return thread;
    }

    @Override
    public @Nullable String text(ProcedureId id) {
        if (Schema.instance.getTableMetadata(LogKeyspace.PREFIX, LogKeyspace.PROCEDURES) == null) {
            return null;
        }
        try {
            return text(id, ConsistencyLevel.QUORUM);
        } catch (UnavailableException | ReadTimeoutException e) {
            String here = text(id, ConsistencyLevel.LOCAL_QUORUM); // a text that is there is right, wherever it is
            if (here == null) {
                throw e;
            }
            return here;
        }
    }

    private static @Nullable String text(ProcedureId id, ConsistencyLevel level) {
        UntypedResultSet found = row(id, level);
        return found.isEmpty() || found.one().getBoolean("dropped")
                ? null
                : found.one().getString("content");
    }

    private static UntypedResultSet row(ProcedureId id, ConsistencyLevel level) {
        return QueryProcessor.execute(
                "SELECT content, digest, dropped FROM " + TABLE + KEY, level, id.keyspace(), id.name(), id.version());
    }

    @Override
    public Registered register(ProcedureId id, String text, String role) {
        LogKeyspace.createShared(LaneGroup.whole(config.dataCentres()), config.replicas());
        String digest = digest(text);
        if (row(id, ConsistencyLevel.QUORUM).isEmpty() && isFull(id.keyspace())) {
            return Registered.TOO_MANY;
        }
        UntypedResultSet.Row inserted = QueryProcessor.execute(
                        "INSERT INTO " + TABLE
                                + " (keyspace_name, name, version, content, digest, dropped, registered_by, registered_at)"
                                + " VALUES (?, ?, ?, ?, ?, false, ?, ?) IF NOT EXISTS",
                        ConsistencyLevel.QUORUM,
                        id.keyspace(),
                        id.name(),
                        id.version(),
                        text,
                        digest,
                        role,
                        Date.from(Instant.now()))
                .one();
        if (inserted.getBoolean("[applied]")) {
            return Registered.NOW;
        } else if (!digest.equals(inserted.getString("digest"))) {
            return Registered.WITH_ANOTHER_TEXT;
        } else if (!inserted.getBoolean("dropped")) {
            return Registered.BEFORE;
        }
        var unused = QueryProcessor.execute(
                "UPDATE " + TABLE + " SET content = ?, dropped = false" + KEY + " IF digest = ?",
                ConsistencyLevel.QUORUM,
                text,
                id.keyspace(),
                id.name(),
                id.version(),
                digest);
        return Registered.NOW;
    }

    private static boolean isFull(String keyspace) {
        UntypedResultSet all = QueryProcessor.execute(
                "SELECT dropped FROM " + TABLE + " WHERE keyspace_name = ?", ConsistencyLevel.QUORUM, keyspace);
        int live = 0;
        for (UntypedResultSet.Row each : all) {
            live += each.getBoolean("dropped") ? 0 : 1;
        }
        return live >= MOST_LIVE || all.size() >= MOST_EVER;
    }

    @Override
    public boolean drop(ProcedureId id) {
        if (Schema.instance.getTableMetadata(LogKeyspace.PREFIX, LogKeyspace.PROCEDURES) == null) {
            return false;
        }
        return QueryProcessor.execute(
                        "UPDATE " + TABLE + " SET dropped = true, content = null" + KEY + " IF dropped = false",
                        ConsistencyLevel.QUORUM,
                        id.keyspace(),
                        id.name(),
                        id.version())
                .one()
                .getBoolean("[applied]");
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
