/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Transactions that insert some rows each, all with new keys. */
final class BulkRows implements Work {
    private final CqlSession session;
    private final PreparedStatement statement;
    private final Ledger ledger;
    private final int rowsEach;
    private final long rows;
    private final RateLimit pace;
    private int next;
    private volatile boolean endless;

    BulkRows(CqlSession session, String table, Ledger ledger, BulkOptions options) {
        this.session = session;
        this.ledger = ledger;
        this.rowsEach = options.rowsEach();
        this.rows = options.rows();
        this.pace = new RateLimit((double) options.rate() / rowsEach);
        statement = session.prepare("BEGIN TRANSACTION "
                + ("INSERT INTO " + table + " (id, value) VALUES (?, ?); ").repeat(rowsEach) + "COMMIT TRANSACTION");
    }

    /** From now on it does not end. */
    void goOn() {
        endless = true;
    }

    /** Share of the amount that was begun. */
    double share() {
        return Math.min(1, (double) ledger.rows() / rows);
    }

    @Override
    public @Nullable Job next() {
        if (next >= rows && !endless) {
            return null;
        }
        pace.await();
        int first = next;
        next += rowsEach;
        for (int row = 0; row < rowsEach; row++) {
            ledger.send(first + row);
        }
        return new Insert(first);
    }

    private final class Insert implements Job {
        private final int first;

        Insert(int first) {
            this.first = first;
        }

        @Override
        public CompletionStage<AsyncResultSet> send() {
            Object[] values = new Object[2 * rowsEach];
            for (int row = 0; row < rowsEach; row++) {
                values[2 * row] = first + row;
                values[2 * row + 1] = ledger.text().of(first + row, 1);
            }
            return session.executeAsync(statement.bind(values));
        }

        @Override
        public void acknowledged() {
            for (int row = 0; row < rowsEach; row++) {
                ledger.acknowledge(first + row, 1);
            }
        }

        @Override
        public int rows() {
            return rowsEach;
        }

        @Override
        public boolean writes() {
            return true;
        }
    }
}
