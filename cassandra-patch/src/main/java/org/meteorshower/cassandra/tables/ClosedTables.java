/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.ColumnData;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.utils.NoSpamLogger;
import org.meteorshower.cassandra.transactions.TransactionOptions;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.protocol.TakingPart.Stage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tables that are closed, on their way into transactions: at this node no request goes on that began before, and what
 * of those is still under way from other nodes is not taken. Thread-safe.
 */
final class ClosedTables implements Predicate<Message<?>> {
    private static final Logger log = LoggerFactory.getLogger(ClosedTables.class);

    /**
     * @param closedMicros when the table was closed, which tells one closing from another
     * @param turn of the requests when this node first said that it knows
     */
    private record Closing(long closedMicros, long turn, boolean takesNoMore) {}

    private final RequestsUnderWay requests;
    private final Map<TableId, Closing> closings = new ConcurrentHashMap<>();

    ClosedTables(RequestsUnderWay requests) {
        this.requests = requests;
        // Before it ended, this node may have said what it holds.
        TransactionTables.aboutToTakePart().forEach(table -> {
            TransactionOptions options = TransactionTables.options(table);
            if (options != null && options.stage() == Stage.CLOSED) {
                closings.put(table.id, new Closing(options.baseMicros(), requests.now(table.id), true));
            }
        });
    }

    /** Whether requests go on here that began before this node knew. To be called where it knows. */
    boolean hasRequests(TableId table, long closedMicros) {
        Closing closing = closings.compute(
                table,
                (id, before) -> before != null && before.closedMicros == closedMicros
                        ? before
                        : new Closing(closedMicros, requests.now(id), false));
        return !requests.areOver(table, closing.turn);
    }

    /** From now on nothing of it is taken that another node sends for a client. */
    void takeNoMore(TableId table, long closedMicros) {
        closings.computeIfPresent(
                table,
                (id, closing) ->
                        closing.closedMicros == closedMicros ? new Closing(closedMicros, closing.turn, true) : closing);
    }

    /** Forgets those that are not closed any more. */
    void tidy() {
        closings.keySet().removeIf(table -> TransactionTables.stage(table) != Stage.CLOSED);
    }

    @Override
    public boolean test(Message<?> message) {
        if (message.verb() == Verb.MUTATION_REQ && message.payload instanceof Mutation mutation) {
            for (PartitionUpdate update : mutation.getPartitionUpdates()) {
                if (!isTaken(update, message)) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean isTaken(PartitionUpdate update, Message<?> message) {
        TransactionOptions options = TransactionTables.options(update.metadata());
        if (options == null) {
            return true;
        }
        boolean late =
                switch (options.stage()) {
                    case COMING_TOGETHER, ENDED -> false;
                    case CLOSED -> {
                        Closing closing = closings.get(update.metadata().id);
                        yield closing != null && closing.takesNoMore && closing.closedMicros == options.baseMicros();
                    }
                    // What transactions write is later.
                    case OPEN -> latestMicros(update) <= options.baseMicros();
                };
        if (late) {
            NoSpamLogger.log(
                    log,
                    NoSpamLogger.Level.WARN,
                    10,
                    TimeUnit.SECONDS,
                    "MeteorShower: a write into {} was under way from {} until after the table was closed, and is not"
                            + " taken: no client was told that it is done",
                    update.metadata(),
                    message.from());
        }
        return !late;
    }

    /** Of all that it writes and deletes. Neither its statistics nor its own method tell of each deletion. */
    static long latestMicros(PartitionUpdate update) {
        long latest = Math.max(update.deletionInfo().maxTimestamp(), latestMicros(update.staticRow()));
        for (Row row : update) {
            latest = Math.max(latest, latestMicros(row));
        }
        return latest;
    }

    private static long latestMicros(Row row) {
        long latest = Math.max(
                row.primaryKeyLivenessInfo().timestamp(), row.deletion().time().markedForDeleteAt());
        for (ColumnData column : row) {
            latest = Math.max(latest, column.maxTimestamp());
        }
        return latest;
    }
}
