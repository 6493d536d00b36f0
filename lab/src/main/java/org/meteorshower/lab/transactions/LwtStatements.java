/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchStatementBuilder;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import java.util.List;

/** The statements on a table of conditional batches, prepared in one data centre. Thread-safe. */
final class LwtStatements {
    private final PreparedStatement insert;
    private final PreparedStatement select;
    private final PreparedStatement update;

    LwtStatements(CqlSession session, String table) {
        insert = session.prepare("INSERT INTO " + table + " (p, id, balance, version, last) VALUES (?, ?, ?, 0, ?)");
        select = session.prepare("SELECT id, balance, version, last FROM " + table + " WHERE p = ? AND id IN ?");
        update = session.prepare(
                "UPDATE " + table + " SET balance = ?, version = ?, last = ? WHERE p = ? AND id = ? IF version = ?");
    }

    BoundStatement insert(int row) {
        return insert.bind(LwtStore.partition(row), row, TransactionStore.BALANCE, TransactionStore.NOBODY);
    }

    /** Rows of one partition. */
    BoundStatement select(List<Integer> rows) {
        return select.bind(LwtStore.partition(rows.get(0)), rows);
    }

    /**
     * Writes accounts as they shall be, if nobody has written them since: their version is one more than what was read.
     */
    BatchStatement update(List<Account> next) {
        BatchStatementBuilder batch = BatchStatement.builder(BatchType.UNLOGGED);
        for (Account account : next) {
            batch.addStatement(update.bind(
                    account.balance(),
                    account.version(),
                    account.last(),
                    LwtStore.partition(account.row()),
                    account.row(),
                    account.version() - 1));
        }
        return batch.setSerialConsistencyLevel(ConsistencyLevel.SERIAL)
                // Of the commit. A majority has accepted it by then: to wait for it to be applied afar adds a round
                // trip
                // and no safety.
                .setConsistencyLevel(ConsistencyLevel.LOCAL_QUORUM)
                .build();
    }
}
