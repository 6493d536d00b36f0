/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import java.util.List;
import java.util.Map;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Weight;
import org.meteorshower.transactions.log.Entry;
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

    /**
     * Rows that were asked for, maybe some of them. A version of {@link StoredRow#PAST_GONE} says of a row that what it was below the limit is
     * not there any more, although it was.
     */
    record RowsRead(int edition, Map<RowKey, StoredRow> rows) implements Event {
        public RowsRead {
            rows = Map.copyOf(rows);
        }
    }

    /** The versions are in the edition, and in the users' tables. */
    record RowsWritten(long cut) implements Event {}

    /**
     * A page of rows.
     *
     * @param next the place after it; the empty text where there is nothing more
     */
    record PageRead(long request, Map<RowKey, StoredRow> rows, String next) implements Event {
        public PageRead {
            rows = Map.copyOf(rows);
        }
    }

    /** The page is in the edition, and in the users' tables. */
    record PageWritten(long request) implements Event {}

    /** What the log holds from a position on, without a gap; nothing where it does not hold that one. */
    record LogRead(long request, int lane, long from, List<Entry> entries) implements Event {
        public LogRead {
            entries = List.copyOf(entries);
        }
    }

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

    /** About how many bytes it takes on the heap, of those that others send. */
    default long weight() {
        if (this instanceof Received received) {
            return received.message().weight();
        } else if (this instanceof Submitted submitted) {
            return submitted.request().weight();
        }
        return this instanceof ReadSubmitted read ? Message.WEIGHT + Weight.of(read.transaction()) : 0;
    }
}
