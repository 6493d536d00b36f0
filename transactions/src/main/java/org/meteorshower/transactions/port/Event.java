/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import java.util.Map;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.log.Request;

/** What happens to a data centre, told to its core one at a time. */
public sealed interface Event {
    /** Time has passed. To be told when the core's next closing is due, and at least every few milliseconds. */
    record Tick() implements Event {}

    /** A message from another data centre, whose identity the transport has checked. */
    record Received(int from, Message message) implements Event {}

    /**
     * The records of a batch are durable, and the fence was read after that.
     *
     * @param fence the life of the process that wrote it last
     */
    record Persisted(long batch, long fence) implements Event {}

    /** Rows that were asked for. Whatever was written to a row before it was asked for is in it. */
    record RowsRead(long contents, Map<RowKey, StoredRow> rows) implements Event {
        public RowsRead {
            rows = Map.copyOf(rows);
        }
    }

    /** The rows are in the tables. */
    record RowsWritten(long flush) implements Event {}

    /** All rows of all tables, read while nothing was being written to them. */
    record TablesRead(long request, Map<RowKey, StoredRow> rows) implements Event {
        public TablesRead {
            rows = Map.copyOf(rows);
        }
    }

    /** The tables hold the snapshot's rows and nothing else. */
    record TablesReplaced(long request) implements Event {}

    /** A client's request. Answered once. {@code client} is positive and names the waiting client. */
    record Submitted(long client, Request request, long deadlineNanos) implements Event {}

    /**
     * Another process is to take this one's place soon: clients are taken no more, and those for whom nothing was proposed yet are told
     * so. What is under way goes on.
     */
    record Retire() implements Event {}

    /** The process ends: clients are told how far it got with them. Nothing has any effect after this. */
    record End() implements Event {}

    /**
     * A client's read-only transaction.
     *
     * @param strict whether it must see everything acknowledged anywhere before it began: it then goes through a lane
     * @param token for others: at least so many merged entries must be executed here first
     */
    record ReadSubmitted(long client, Transaction transaction, boolean strict, long token, long deadlineNanos)
            implements Event {}
}
