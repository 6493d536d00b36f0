/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;

/** What the core wants done. Effects may be carried out in any order but where one says otherwise. */
public sealed interface Effect {
    /** Calls the handler's method for this kind. */
    void handOver(Handler to);

    /**
     * Does something with each kind of effect. No method has a default: who handles effects says what it does with a
     * new kind.
     */
    interface Handler {
        void on(Send send);

        void on(Persist persist);

        void on(ReadRows read);

        void on(ReadKeys read);

        void on(WriteRows write);

        void on(WriteChanges write);

        void on(ReadPage read);

        void on(WritePage write);

        void on(ForgetEditions forget);

        void on(ReadLog read);

        void on(ReadDue read);

        void on(ForgetDue forget);

        void on(Reply reply);

        void on(Alarm alarm);
    }

    /** @param twice whether to send it on two streams, so that a loss on one holds nobody up */
    record Send(int to, Message message, boolean twice) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * Write these records so that a quorum of the data centre's own replicas has each; then read the fence, from a
     * quorum too; then tell {@link Event.Persisted}. A group commit. Several batches may be under way.
     */
    record Persist(long batch, List<Durable> records) implements Effect {
        public Persist {
            records = List.copyOf(records);
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * Read of each of these rows the newest version below a limit: {@link Event.RowsRead}. Again and again until it
     * succeeds. Where nothing is there of a row, the fence is read after it: a younger process may have forgotten the
     * row.
     *
     * @param edition of the rows
     * @param below the limit: a version, excluded
     */
    record ReadRows(int edition, long below, SortedSet<RowKey> rows) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * Tell, in a range's order, the keys of rows in it, then read the fence: {@link Event.KeysRead}. Told must be all
     * that the edition has any version of, and all that users had before any transaction wrote them; whatever else is
     * told does not matter. Again and again until it succeeds. Nothing is told where the fence is not this process's
     * any more: a younger one may have forgotten some of them.
     *
     * @param edition of the rows
     * @param after where the earlier page ended; null for the beginning
     * @param most so many keys, or some more; or fewer, but not none while there are more
     */
    record ReadKeys(
            long request,
            int edition,
            Range range,
            @Nullable RowKey after,
            int most) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** Add these versions of rows to an edition, then put them into the users' tables: {@link Event.RowsWritten}. */
    record WriteRows(long cut, int edition, List<RowWrite> rows) implements Effect {
        public WriteRows {
            rows = List.copyOf(rows);
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * Add these changes to their stream, whose end is told last: {@link Event.ChangesWritten}. Nothing more of it is
     * asked for before that.
     */
    record WriteChanges(Changes changes) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * Read some rows, each in its newest version below a limit, in the store's own order, then the fence:
     * {@link Event.PageRead}. Nothing is told where the fence is not this process's any more: a younger one may have
     * forgotten some of them.
     *
     * @param place after which to begin, as an earlier page told it; the empty text for the beginning
     * @param bytes about so many, or one row if that is larger
     * @param withBases whether to tell what they were before any transaction, which is another read for each row
     */
    record ReadPage(long request, int edition, long below, String place, int bytes, boolean withBases)
            implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * Put rows of another data centre's snapshot into an edition, and into the users' tables:
     * {@link Event.PageWritten}.
     *
     * @param bases what some of them were before any transaction wrote them, to be kept as {@link RowWrite#base}
     * @param dueFrom none of them is to be looked at earlier, see {@link RowWrite#due}
     */
    record WritePage(long request, int edition, Map<RowKey, StoredRow> rows, Map<RowKey, Row> bases, long dueFrom)
            implements Effect {
        private static final int SPREAD_MILLIS = 10_000;

        public WritePage {
            rows = Collections.unmodifiableMap(new LinkedHashMap<>(rows));
            bases = Collections.unmodifiableMap(new LinkedHashMap<>(bases));
        }

        /** The writes that it takes. */
        public List<RowWrite> writes() {
            return rows.entrySet().stream()
                    .map(row -> new RowWrite(row.getKey(), row.getValue(), 0, bases.get(row.getKey()), 0)
                            .dueAt(due(row.getKey(), row.getValue().row())))
                    .toList();
        }

        /** What should have been looked at before is so within ten seconds, since it may be many rows. */
        private long due(RowKey key, Row row) {
            long ends = row.endsFirst();
            if (ends == Row.NEVER) {
                return RowWrite.NOT_DUE;
            }
            return ends >= dueFrom ? ends : dueFrom + Math.floorMod(key.hashCode(), SPREAD_MILLIS);
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * Nobody reads editions of the rows below this one any more. What only they have, or users' tables, of the first so
     * many merged entries, was deleted since and forgotten, where this one was taken from: users' tables have to lose
     * it: {@link Event.EditionsForgotten}. May take long.
     */
    record ForgetEditions(int below, long count) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * Read from the log: {@link Event.LogRead}. Asked only for positions below what is settled, so that what it holds
     * is what was decided.
     *
     * @param from the first position
     * @param below the last one is before it
     * @param bytes about so many, or one entry if that is larger
     */
    record ReadLog(long request, int lane, long from, long below, int bytes) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * Tell which rows have something that has ended, of those that are {@linkplain RowWrite#due to be looked at} in
     * some time: {@link Event.DueRead}. What is to be looked at then and ends later is noted anew first. Again and
     * again until it succeeds.
     *
     * @param edition of the rows
     * @param fromMillis the first millisecond
     * @param belowMillis the last one is before it
     * @param byMillis what has ended is what ends by then
     * @param most so many, or all that are due in one millisecond
     */
    record ReadDue(long request, int edition, long fromMillis, long belowMillis, long byMillis, int most)
            implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** No row is looked at any more that was due earlier: what says that it is may go. */
    record ForgetDue(long belowMillis) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    record Reply(long client, Answer answer) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** Something an operator must hear of. */
    record Alarm(AlarmKind kind, String detail) implements Effect {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** Kinds of alarm, for counting. */
    enum AlarmKind {
        /** Another process has taken this one's place, or an invariant broke: this one does nothing any more. */
        STOPPED,
        /** Another data centre executed the same entries with another result. */
        DIVERGED,
        /** This process now leads a lane, its own or another's. */
        LEADS,
        /** A disk without anything in it is to take part again. */
        REJOINED,
        /** Something else than this process has written to the tables: they are replaced by a snapshot. */
        TABLES_AHEAD
    }
}
