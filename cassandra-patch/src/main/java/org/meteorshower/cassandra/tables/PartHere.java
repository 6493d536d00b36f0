/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.io.sstable.format.SSTableReader;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.store.LocalStore;
import org.meteorshower.cassandra.transactions.TransactionOptions;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.protocol.TakingPart;
import org.meteorshower.protocol.TakingPart.Answer;
import org.meteorshower.protocol.TakingPart.Here;
import org.meteorshower.protocol.TakingPart.Question;
import org.meteorshower.protocol.TakingPart.Stage;
import org.meteorshower.protocol.TakingPart.Word;

/** What this node says of tables that are about to take part in transactions. Thread-safe; does not block for long. */
final class PartHere {
    private final ClosedTables closed;
    private final Function<TableMetadata, @Nullable String> notServed;
    private final Predicate<TableMetadata> unsettled;

    /**
     * @param notServed why a table that is enabled is not served to clients of this node; null where it is
     * @param unsettled whether this node knows of mutations of it that some replica may not have
     */
    PartHere(
            ClosedTables closed,
            Function<TableMetadata, @Nullable String> notServed,
            Predicate<TableMetadata> unsettled) {
        this.closed = closed;
        this.notServed = notServed;
        this.unsettled = unsettled;
    }

    /** @param closedMicros the closing that is asked about; of no meaning where none is */
    CompletableFuture<Answer> asked(Question question, TableId id, long closedMicros) {
        closed.tidy();
        TableMetadata table = Schema.instance.getTableMetadata(id);
        ColumnFamilyStore store = ColumnFamilyStore.getIfExists(id);
        if (table == null || store == null) {
            return CompletableFuture.completedFuture(
                    new Answer(Word.NOT_YET, 0, "does not know table " + id + " yet, or any more"));
        }
        TransactionOptions options = TransactionTables.options(table);
        boolean isClosed = options != null && options.stage() == Stage.CLOSED && options.baseMicros() == closedMicros;
        boolean requests = isClosed && closed.hasRequests(id, closedMicros);
        if (question != Question.HOLDS || !isClosed || requests) {
            return CompletableFuture.completedFuture(
                    TakingPart.answer(question, here(table, store, isClosed, requests)));
        }
        closed.takeNoMore(id, closedMicros);
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        whenFlushed(
                store,
                () -> answer.complete(
                        LocalStore.isInFiles(store)
                                ? TakingPart.answer(question, here(table, store, true, false))
                                : new Answer(Word.NOT_YET, 0, "has yet to write its memtables to disk")));
        return answer;
    }

    /** Only files say how new what they hold is. */
    private static void whenFlushed(ColumnFamilyStore store, Runnable then) {
        if (LocalStore.isInFiles(store)) {
            then.run();
        } else {
            store.forceFlush(ColumnFamilyStore.FlushReason.USER_FORCED).addListener(then);
        }
    }

    private Here here(TableMetadata table, ColumnFamilyStore store, boolean isClosed, boolean requests) {
        boolean enabled = table.params.extensions.containsKey(TableOptions.EXTENSION);
        long newestMicros = 0;
        for (SSTableReader file : store.getLiveSSTables()) {
            newestMicros = Math.max(newestMicros, file.getMaxTimestamp());
        }
        return new Here(
                isClosed,
                requests,
                !LocalStore.isEmpty(store),
                enabled,
                enabled ? notServed.apply(table) : null,
                enabled && unsettled.test(table),
                newestMicros);
    }
}
