/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.concurrent.CompletionStage;
import org.meteorshower.checker.Operation;

/** A client of plain Cassandra. Has no state: nothing is promised between its operations. */
final class CassandraRowClient implements RowClient {
    private final Statements statements;
    private final ConsistencyLevel writeLevel;

    /** @param writeLevel not the system's own where rows are loaded, which every replica shall have */
    CassandraRowClient(Statements statements, ConsistencyLevel writeLevel) {
        this.statements = statements;
        this.writeLevel = writeLevel;
    }

    @Override
    public CompletionStage<Answer> read(int row) {
        return statements.session().executeAsync(statements.read(row)).thenApply(rows -> {
            Row found = rows.one();
            return new Answer(found == null ? null : found.getString(0), null);
        });
    }

    @Override
    public CompletionStage<Long> write(int row, String value) {
        return statements
                .session()
                .executeAsync(statements.write(row, value).setConsistencyLevel(writeLevel))
                .thenApply(rows -> Operation.NO_VERSION);
    }

    @Override
    public boolean mayHaveTakenEffect(Throwable failure) {
        return true; // which errors rule it out is not needed: its history is not judged
    }
}
