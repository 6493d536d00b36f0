/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.log;

import java.util.List;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Weight;

/** What a client, or the system itself, wants to have a place in the order. */
public sealed interface Request {
    /** Of one without a transaction. */
    int WEIGHT = 64;

    /** Calls the visitor's method for this kind. */
    <R> R accept(Visitor<R> visitor);

    /** About how many bytes it takes on the heap. */
    int weight();

    /**
     * Makes something of each kind of request. No method has a default: who visits requests says what comes of a new
     * kind.
     */
    interface Visitor<R> {
        R on(Open open);

        R on(Run run);

        R on(Once once);

        R on(Read read);

        R on(Resolve resolve);

        R on(Expire expire);

        R on(ExpireRows expire);
    }

    /** Opens a session. Its answer is the session's name: lane, position, index. Asked twice, it opens two. */
    record Open() implements Request {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public int weight() {
            return WEIGHT;
        }
    }

    /**
     * Runs a transaction at most once under this number, however often and wherever it is asked for. Asked for again,
     * it is answered with what came of it; without its values where those are too large to be kept.
     */
    record Run(SessionId session, long sequence, Transaction transaction) implements Request {
        /** @throws IllegalArgumentException if the number is not positive */
        public Run {
            if (sequence < 1) {
                throw new IllegalArgumentException("sequence number " + sequence + ": they begin at 1");
            }
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public int weight() {
            return WEIGHT + Weight.of(transaction);
        }
    }

    /** Runs a transaction where its entry stands, and nowhere else: for who does not mean to ask again. */
    record Once(Transaction transaction) implements Request {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public int weight() {
            return WEIGHT + Weight.of(transaction);
        }
    }

    /** Reads at this place in the order: strict. The transaction must not write. */
    record Read(Transaction transaction) implements Request {
        /** @throws IllegalArgumentException if it writes */
        public Read {
            if (!transaction.isReadOnly()) {
                throw new IllegalArgumentException("a read that writes: submit it as Run, with a session");
            }
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public int weight() {
            return WEIGHT + Weight.of(transaction);
        }
    }

    /** Makes an unknown outcome definite: gives the recorded one, or sees to it that the number never runs. */
    record Resolve(SessionId session, long sequence) implements Request {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public int weight() {
            return WEIGHT;
        }
    }

    /** Ends a session unless it was used after this version. Every data centre may propose it; time only proposes. */
    record Expire(SessionId session, long lastUsedVersion) implements Request {
        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public int weight() {
            return WEIGHT;
        }
    }

    /**
     * Takes away, of some rows, {@linkplain org.meteorshower.transactions.language.Value.Expiring what has ended} by
     * then; what was set anew meanwhile, and ends later or never, stays. Every data centre may propose it; time only
     * proposes.
     *
     * @param byMillis since 1970
     */
    record ExpireRows(List<RowKey> rows, long byMillis) implements Request {
        /** More rows are refused. */
        public static final int MOST = 1_000;

        /** @throws IllegalArgumentException if these are too many rows */
        public ExpireRows {
            rows = List.copyOf(rows);
            if (rows.size() > MOST) {
                throw new IllegalArgumentException(rows.size() + " rows are to end together; at most " + MOST);
            }
        }

        @Override
        public <R> R accept(Visitor<R> visitor) {
            return visitor.on(this);
        }

        @Override
        public int weight() {
            int bytes = WEIGHT;
            for (RowKey row : rows) {
                bytes += Weight.of(row);
            }
            return bytes;
        }
    }
}
