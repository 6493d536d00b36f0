/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Weight;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;

/** What happens to a data centre, told to its core one at a time. */
public sealed interface Event {
    /** Calls the handler's method for this kind. */
    void handOver(Handler to);

    /** About how many bytes it takes on the heap, of those that others send. */
    long weight();

    /**
     * Does something with each kind of event. No method has a default: who handles events says what it does with a new
     * kind.
     */
    interface Handler {
        void on(Tick tick);

        void on(Received received);

        void on(Severed severed);

        void on(UsesFormat uses);

        void on(Persisted persisted);

        void on(RowsRead read);

        void on(KeysRead read);

        void on(RowsWritten written);

        void on(ChangesWritten written);

        void on(PageRead read);

        void on(PageWritten written);

        void on(LogRead read);

        void on(EditionsForgotten forgotten);

        void on(DueRead read);

        void on(Submitted submitted);

        void on(Retire retire);

        void on(End end);

        void on(ReadSubmitted submitted);

        void on(TablesAwaited awaited);
    }

    /** What the process and its store tell: others cannot make more of it. */
    sealed interface OfProcess extends Event {
        @Override
        default long weight() {
            return 0;
        }
    }

    /** Time has passed. To be told when the core's next closing is due, and at least every few milliseconds. */
    record Tick() implements OfProcess {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** A message from another data centre, whose identity the transport has checked. */
    record Received(int from, Message message) implements Event {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }

        @Override
        public long weight() {
            return message.weight();
        }
    }

    /**
     * No connection with the data centre's process stands any more: it has died, or the way to it is cut. To be told
     * soon, and may be told again as long as that is so; a message of that data centre ends it. Matters for speed only.
     */
    record Severed(int dc) implements OfProcess {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * The data centre's log is in this format, as is noted durably. To be told when the process has begun, and when it
     * goes on to another one.
     *
     * @param format see {@link org.meteorshower.transactions.log.Formats}
     */
    record UsesFormat(int format) implements OfProcess {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * The records of a batch are durable, and the fence was read after that.
     *
     * @param fence the life of the process that wrote it last
     */
    record Persisted(long batch, long fence) implements OfProcess {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * Rows that were asked for, maybe some of them. A version of {@link StoredRow#PAST_GONE} says of a row that what it
     * was below the limit is not there any more, although it was.
     */
    record RowsRead(int edition, Map<RowKey, StoredRow> rows) implements OfProcess {
        public RowsRead {
            rows = Collections.unmodifiableMap(new LinkedHashMap<>(rows));
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * Keys that were asked for, in the range's order.
     *
     * @param more whether there may be others behind the last one
     */
    record KeysRead(long request, List<RowKey> keys, boolean more) implements OfProcess {
        public KeysRead {
            keys = List.copyOf(keys);
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** The versions are in the edition, and in the users' tables. */
    record RowsWritten(long cut) implements OfProcess {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** The last piece of the change stream is stored, and its readers are told so. */
    record ChangesWritten() implements OfProcess {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * A page of rows.
     *
     * @param bases of those that users had before any transaction wrote them, what they were
     * @param next the place after it; the empty text where there is nothing more
     */
    record PageRead(long request, Map<RowKey, StoredRow> rows, Map<RowKey, Row> bases, String next)
            implements OfProcess {
        public PageRead {
            rows = Collections.unmodifiableMap(new LinkedHashMap<>(rows));
            bases = Collections.unmodifiableMap(new LinkedHashMap<>(bases));
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** The page is in the edition, and in the users' tables. */
    record PageWritten(long request) implements OfProcess {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** What the log holds from a position on, without a gap; nothing where it does not hold that one. */
    record LogRead(long request, int lane, long from, List<Entry> entries) implements OfProcess {
        public LogRead {
            entries = List.copyOf(entries);
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** Nothing is left of editions of the rows below this one, nor in users' tables what only they had. */
    record EditionsForgotten(int below) implements OfProcess {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * Rows that have something that has ended.
     *
     * @param told all that were due before this millisecond are told
     * @param next none is due from there on before this one; {@link Long#MAX_VALUE} where none is at all
     */
    record DueRead(long request, List<RowKey> rows, long told, long next) implements OfProcess {
        public DueRead {
            rows = List.copyOf(rows);
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** A client's request. Answered once. {@code client} is positive and names the waiting client. */
    record Submitted(long client, Request request, long deadlineNanos) implements Event {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }

        @Override
        public long weight() {
            return request.weight();
        }
    }

    /**
     * Another process is to take this one's place soon: clients are taken no more, and those for whom nothing was
     * proposed yet are told so. What is under way goes on.
     */
    record Retire() implements OfProcess {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** The process ends: clients are told how far it got with them. Nothing has any effect after this. */
    record End() implements OfProcess {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * A client's read-only transaction.
     *
     * @param strict whether it must see everything acknowledged anywhere before it began: it then goes through a lane
     * @param token for others: at least so many merged entries must be executed here first
     */
    record ReadSubmitted(long client, Transaction transaction, boolean strict, long token, long deadlineNanos)
            implements Event {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }

        @Override
        public long weight() {
            return Message.WEIGHT + Weight.of(transaction);
        }
    }

    /**
     * A client is about to read the users' tables, and waits until they hold all that the entries up to a token have
     * written. The answer is a snapshot without values, whose token says up to where they hold all.
     */
    record TablesAwaited(long client, long token, long deadlineNanos) implements Event {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }

        @Override
        public long weight() {
            return Message.WEIGHT;
        }
    }
}
