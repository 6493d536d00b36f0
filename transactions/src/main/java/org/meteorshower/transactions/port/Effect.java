/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Entry;

/** What the core wants done. Effects may be carried out in any order but where one says otherwise. */
public sealed interface Effect {
    /** @param twice whether to send it on two streams, so that a loss on one holds nobody up */
    record Send(int to, Message message, boolean twice) implements Effect {}

    /**
     * Write these records so that a quorum of the data centre's own replicas has each; then read the fence, from a quorum too; then
     * tell {@link Event.Persisted}. A group commit. Several batches may be under way.
     */
    record Persist(long batch, List<Durable> records) implements Effect {
        public Persist {
            records = List.copyOf(records);
        }
    }

    /**
     * Read these rows: {@link Event.RowsRead}. Again and again until it succeeds.
     *
     * @param contents to be told with them
     */
    record ReadRows(long contents, SortedSet<RowKey> rows) implements Effect {}

    /** Write these rows to their tables with their versions as timestamps: {@link Event.RowsWritten}. */
    record WriteRows(long flush, Map<RowKey, StoredRow> rows) implements Effect {}

    /** Read all rows: {@link Event.TablesRead}. No WriteRows is under way or asked for meanwhile. */
    record ReadTables(long request) implements Effect {}

    /** Put these rows in place of all rows: {@link Event.TablesReplaced}. */
    record ReplaceTables(long request, Map<RowKey, StoredRow> rows) implements Effect {}

    record Reply(long client, Answer answer) implements Effect {}

    /**
     * The entry, and all before it in the merged order, have been executed here. For metrics and audits.
     *
     * @param number its place in the merged order, from 0
     * @param outcomes of its submissions
     * @param digest of everything up to and including it
     */
    record Executed(long number, int lane, long position, Entry entry, List<Outcome> outcomes, long digest)
            implements Effect {
        public Executed {
            outcomes = List.copyOf(outcomes);
        }
    }

    /** A snapshot was installed: this data centre goes on from there. */
    record Jumped(Checkpoint checkpoint) implements Effect {}

    /** Something an operator must hear of. */
    record Alarm(AlarmKind kind, String detail) implements Effect {}

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
