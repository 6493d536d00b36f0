/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.exceptions.TruncateException;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.pager.PagingState;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.transactions.RowForm;
import org.meteorshower.cassandra.transactions.TableRows;
import org.meteorshower.cassandra.transactions.TransactionGroups;
import org.meteorshower.cassandra.transactions.TransactionRunner;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.port.Answer;

/**
 * TRUNCATE of a table that takes part: what was acknowledged before is deleted, in transactions of some rows each. What
 * is written meanwhile may stay or go; what is written after it stays: each has a number, and runs once at most,
 * however often it was sent. Thread-safe; blocks.
 */
final class Truncation {
    private static final int PAGE_ROWS = 500;
    private static final int MOST_ROWS = 250;
    private static final int MOST_BYTES = 128 << 10;
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final TransactionGroups groups;
    private final Sessions sessions;
    private final TableHolds holds;

    Truncation(TransactionGroups groups, Sessions sessions, TableHolds holds) {
        this.groups = groups;
        this.sessions = sessions;
        this.holds = holds;
    }

    ResultMessage run(TableMetadata table, ClientRequest request) {
        long deadlineNanos =
                request.time().computeDeadline(DatabaseDescriptor.getTruncateRpcTimeout(TimeUnit.NANOSECONDS));
        int group = TransactionTables.group(table);
        TransactionRunner runner = groups.runner(group);
        holds.await(group, deadlineNanos, request.only().getConsistency());
        SessionId session = sessions.open(group, request.time()).session();
        long sequence = 0;
        long deleted = 0;
        PagingState place = null;
        do {
            List<RowKey> keys = new ArrayList<>();
            place = page(table, place, keys);
            for (List<Statement> chunk : chunks(keys)) {
                Answer answer = delete(
                        runner,
                        chunk,
                        new TransactionRunner.Terms(
                                TransactionRunner.Kind.WRITE, 0, deadlineNanos, session, ++sequence));
                if (!(answer instanceof Answer.Done done && done.outcome() instanceof Outcome.Committed)) {
                    throw new TruncateException("MeteorShower: " + deleted + " rows of " + table
                            + " are deleted, and there may be more; say it again to go on: " + answer);
                }
                deleted += chunk.size();
            }
        } while (place != null);
        return new ResultMessage.Void();
    }

    private static @Nullable PagingState page(TableMetadata table, @Nullable PagingState place, List<RowKey> keys) {
        return TableRows.pageOfKeys(
                table,
                place,
                PAGE_ROWS,
                (partition, clustering, row) -> keys.add(RowForm.keyOf(table, partition, clustering)));
    }

    private static List<List<Statement>> chunks(List<RowKey> keys) {
        List<List<Statement>> chunks = new ArrayList<>();
        List<Statement> chunk = new ArrayList<>();
        int bytes = 0;
        for (RowKey key : keys) {
            if (chunk.size() >= MOST_ROWS || bytes >= MOST_BYTES) {
                chunks.add(chunk);
                chunk = new ArrayList<>();
                bytes = 0;
            }
            chunk.add(new Statement.Delete(key));
            bytes += key.key().length();
        }
        if (!chunk.isEmpty()) {
            chunks.add(chunk);
        }
        return chunks;
    }

    /** Tries until it is known what came of it, or that nothing will, or the time is over. */
    private static Answer delete(TransactionRunner runner, List<Statement> rows, TransactionRunner.Terms terms) {
        Transaction transaction = new Transaction(List.of(), rows);
        while (true) {
            Answer answer = Transactions.await(runner.run(transaction, terms), terms.deadlineNanos());
            if (!mayBeTriedAgain(answer) || System.nanoTime() - terms.deadlineNanos() >= 0) {
                return answer;
            }
            LockSupport.parkNanos(REST_NANOS);
        }
    }

    private static boolean mayBeTriedAgain(Answer answer) {
        return answer instanceof Answer.Unknown
                || (answer instanceof Answer.Refused refused && refused.refusal() != Answer.Refusal.TOO_LARGE);
    }
}
