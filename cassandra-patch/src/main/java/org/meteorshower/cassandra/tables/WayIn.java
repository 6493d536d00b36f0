/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientWarn;
import org.apache.cassandra.service.StorageProxy;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.schedule.Repeatedly;
import org.meteorshower.cassandra.transactions.TransactionOptions;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.TakingPart.Answer;
import org.meteorshower.protocol.TakingPart.Question;
import org.meteorshower.protocol.TakingPart.Stage;

/**
 * The way of tables into transactions (docs/CATENAE.md, "How a table begins to take part"), as far as this node has a
 * part in it: it answers the others, goes on with what is under way where no node before it in order is up, and begins
 * with what it is asked for. Thread-safe.
 */
public final class WayIn implements AutoCloseable {
    private static final long LOOK_EVERY_MILLIS = 250;

    private static final long AGAIN_AFTER_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final PartHere here;
    private final TakingPartRounds rounds;
    private final ScheduledExecutorService thread =
            Executors.newSingleThreadScheduledExecutor(new NamedThreadFactory("MeteorShower-Way-In"));

    /** Of the schema in which no table was found to be under way; null for none. */
    private @Nullable Object lookedAt;

    /**
     * @param requests that are none of a transaction
     * @param others how they are asked
     * @param notServed why a table that is enabled is not served to clients of this node; null where it is
     * @param unsettled whether this node knows of mutations of it that some replica may not have
     */
    public WayIn(
            NodeId self,
            RequestsUnderWay requests,
            PartElsewhere others,
            TableSwitch tableSwitch,
            Function<TableMetadata, @Nullable String> notServed,
            Predicate<TableMetadata> unsettled) {
        ClosedTables closed = new ClosedTables(requests);
        MessagingService.instance().inboundSink.add(closed);
        here = new PartHere(closed, notServed, unsettled);
        rounds = new TakingPartRounds(self, here, others, tableSwitch);
    }

    /** What this node says when it is asked. Does not block for long. */
    public CompletableFuture<Answer> asked(Question question, TableId table, long closedMicros) {
        return here.asked(question, table, closedMicros);
    }

    /** From now on it goes on with what is under way. */
    public void start() {
        Repeatedly.run(thread, "let tables into transactions", this::look, LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        Object schema = Schema.instance.getVersion();
        if (schema.equals(lookedAt) || !rounds.isAsker()) {
            return;
        }
        List<TableMetadata> tables = TransactionTables.aboutToTakePart();
        tables.forEach(table -> rounds.advance(table.id));
        lookedAt = tables.isEmpty() ? schema : null;
    }

    /**
     * Begins to let a table in.
     *
     * @param group says which group of lanes it is of, or throws where it cannot take part
     * @param deadlineNanos until when to wait for it to take part
     */
    void begin(TableMetadata table, ToIntFunction<TableMetadata> group, long deadlineNanos) {
        TransactionOptions before = TransactionTables.options(table);
        if (before == null || before.stage() == Stage.ENDED) {
            int unused = group.applyAsInt(table); // what cannot be need not be asked about
            Stage first;
            try {
                first = rounds.first(table);
            } catch (TakingPartRounds.Unready e) {
                throw new InvalidRequestException("MeteorShower: " + table + " cannot be let into transactions now: "
                        + e.getMessage() + ". All nodes must be up for that, with this release of the plugin, so that"
                        + " none writes to it past the transactions.");
            }
            TableSwitch.transform(table, now -> {
                TransactionOptions has = TransactionOptions.of(now);
                return has != null && has.stage() != Stage.ENDED ? now : rounds.at(first, now, group.applyAsInt(now));
            });
        }
        thread.execute(Repeatedly.guarded("let a table into transactions", () -> bringIn(table, deadlineNanos)));
        TransactionTables.awaitNotClosed(table, deadlineNanos);
        if (stage(table) != Stage.OPEN) {
            String waitsFor = rounds.waitsFor(table.id);
            ClientWarn.instance.warn("MeteorShower: " + table + " does not take part in transactions yet, and will by"
                    + " itself: its state in meteorshower.tables says how far it is"
                    + (waitsFor == null ? "" : " (" + waitsFor + ")"));
            return;
        }
        // So that who is asked next knows it, whichever node that is.
        while (System.nanoTime() - deadlineNanos < 0
                && StorageProxy.describeSchemaVersions(false).size() > 1) {
            LockSupport.parkNanos(AGAIN_AFTER_NANOS);
        }
    }

    /** At once, while its client waits; then it is who asks that goes on. */
    private void bringIn(TableMetadata table, long deadlineNanos) {
        while (!rounds.advance(table.id) && stage(table) == Stage.CLOSED && System.nanoTime() - deadlineNanos < 0) {
            LockSupport.parkNanos(AGAIN_AFTER_NANOS);
        }
        if (!rounds.isAsker()) {
            rounds.forget(table.id);
        }
    }

    private static @Nullable Stage stage(TableMetadata table) {
        return TransactionTables.stage(table);
    }

    @Nullable
    String waitsFor(TableMetadata table) {
        return rounds.waitsFor(table.id);
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}
