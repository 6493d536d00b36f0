/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.List;
import java.util.Map;
import org.meteorshower.transactions.language.Holdings;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.language.Weight;

/**
 * Between the sequencer and ranges, and from range to range. Each may be lost, repeated, late, and overtaken. What
 * {@link Handed} ones say is a function of the merged order and of what they are named by.
 */
public sealed interface ChainMessage {
    /** In place of a range's number. */
    int SEQUENCER = -1;

    /** About how many bytes of heap a message takes that says nothing. */
    int WEIGHT = 160;

    /** Calls the handler's method for this kind. */
    void handOver(Handler to);

    /** The range that it is for, or {@link #SEQUENCER}. */
    int to();

    /** Does something with each kind. No method has a default. */
    interface Handler {
        void on(Slices slices);

        void on(Progress progress);

        void on(Forward forward);

        void on(Backward backward);

        void on(Ask ask);

        void on(Told told);

        void on(Ended ended);

        void on(Again again);
    }

    /**
     * The sequencer's word to a range.
     *
     * @param life of the sequencer: the fence that it has taken
     * @param from all counts from here on are told
     * @param below to here, not included; those that are not among the slices have nothing for this range
     * @param done K: the tables hold all rows as of this count
     * @param cut the count as of which rows are to be written behind; {@code done} where no cut is due
     * @param answered the sequencer knows all outcomes below this count
     * @param executed by range, how far it is said to be; a hint, which may be wrong
     */
    record Slices(
            long life,
            int range,
            long from,
            long below,
            List<Slice> slices,
            long done,
            long cut,
            long answered,
            List<Long> executed)
            implements ChainMessage {
        public Slices {
            slices = List.copyOf(slices);
            executed = List.copyOf(executed);
        }

        @Override
        public int to() {
            return range;
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /**
     * A range's word to the sequencer.
     *
     * @param next the first count of which it has no slice; {@link RangeServer#NOT_BEGUN} where it does not know K
     * @param executed all below are executed there
     * @param heldCut the last cut of which the tables hold the rows, as of just that count; less than 0 for none
     * @param firstDue when the first ends of what is in the tables since K;
     *     {@link org.meteorshower.transactions.language.Row#NEVER} where nothing does
     * @param room so many bytes of slices from {@code next} on it can take
     */
    record Progress(int range, Life life, long next, long executed, long heldCut, long firstDue, long room)
            implements ChainMessage {
        @Override
        public int to() {
            return SEQUENCER;
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    /** Those that are kept until K has passed them, and had again. */
    sealed interface Handed extends ChainMessage {
        /** Of the transaction: its count and index. */
        long version();

        /** From this range. */
        int from();

        /** Which one it is of those from the one to the other about the transaction, in their order. */
        int step();

        /** About how many bytes it takes on the heap. */
        long weight();
    }

    /** What the range's rows hold, all that the transaction names there. To the range that has the turn. */
    record Forward(long version, int from, int to, Map<RowKey, Row> held) implements Handed {
        @Override
        public int step() {
            return 0;
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }

        @Override
        public long weight() {
            return ChainMessage.weight(held);
        }
    }

    /**
     * What is written in a range in which something might have been. From the range that had the turn.
     *
     * @param asked so many questions the range was asked before, all of which it answers before it ends
     */
    record Backward(long version, int from, int to, int asked, Map<RowKey, Row> writes) implements Handed {
        @Override
        public int step() {
            return Integer.MAX_VALUE;
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }

        @Override
        public long weight() {
            return ChainMessage.weight(writes);
        }
    }

    /**
     * Asks for rows of partitions that the transaction has to itself in another range. From the range that has the
     * turn.
     *
     * @param number of the question, among those to the other range, from 0 on
     * @param what rows, and ranges of them, all of which are there
     */
    record Ask(long version, int number, int from, int to, Holdings.Missing what) implements Handed {
        @Override
        public int step() {
            return number;
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }

        @Override
        public long weight() {
            long bytes = WEIGHT;
            for (RowKey row : what.rows()) {
                bytes += 48 + Weight.of(row);
            }
            for (Range span : what.ranges()) {
                bytes += 48 + span.weight();
            }
            return bytes;
        }
    }

    /**
     * What was asked for.
     *
     * @param number of the question
     * @param rows each one that was named, and those of ranges that are there, as far as they may be needed; none where
     *     they are too large
     * @param bytes about how much heap all takes that was gathered there for the transaction, now and before
     */
    record Told(long version, int number, int from, int to, Map<RowKey, Row> rows, long bytes) implements Handed {
        @Override
        public int step() {
            return 1 + number;
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }

        @Override
        public long weight() {
            return ChainMessage.weight(rows);
        }
    }

    /**
     * What came of it. From the range that had the turn, to the sequencer.
     *
     * @param digest of the outcome and of what is written
     */
    record Ended(long version, int from, Outcome outcome, long digest) implements Handed {
        @Override
        public int to() {
            return SEQUENCER;
        }

        @Override
        public int step() {
            return 0;
        }

        @Override
        public void handOver(Handler to) {
            to.on(this);
        }

        @Override
        public long weight() {
            long bytes = WEIGHT;
            if (outcome instanceof Outcome.Committed committed) {
                for (Value value : committed.values()) {
                    bytes += Weight.of(value);
                }
            }
            return bytes;
        }
    }

    /**
     * Asks a range for all that it has handed, or would have, to the one that asks.
     *
     * @param from this range, or {@link #SEQUENCER}
     * @param count from this count on
     */
    record Again(int from, int to, long count) implements ChainMessage {
        @Override
        public void handOver(Handler to) {
            to.on(this);
        }
    }

    private static long weight(Map<RowKey, Row> rows) {
        long bytes = WEIGHT;
        for (Map.Entry<RowKey, Row> row : rows.entrySet()) {
            bytes += 48 + Weight.of(row.getKey()) + Weight.of(row.getValue());
        }
        return bytes;
    }
}
