/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.Operation;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.client.ReadMode;
import org.meteorshower.client.UnknownOutcomeException;
import org.meteorshower.client.WriteInfo;

/** One session of MeteorShower. */
final class MeteorShowerRowClient implements RowClient {
    private final Statements statements;
    private final MeteorShowerSession session;
    private final ReadMode mode;

    MeteorShowerRowClient(Statements statements, MeteorShowerSession session, ReadMode mode) {
        this.statements = statements;
        this.session = session;
        this.mode = mode;
    }

    MeteorShowerSession session() {
        return session;
    }

    @Override
    public CompletionStage<Answer> read(int row) {
        return session.executeAsync(statements.read(row), mode).thenApply(rows -> {
            Row found = rows.one();
            return new Answer(
                    found == null ? null : found.getString(0),
                    ReadInfo.of(rows.getExecutionInfo()).orElse(null));
        });
    }

    @Override
    public CompletionStage<Long> write(int row, String value) {
        BoundStatement write = statements.write(row, value);
        // How fresh reads must be is no matter for a write, but for strict, which orders writes in real time too.
        CompletionStage<AsyncResultSet> written =
                mode.equals(ReadMode.STRICT) ? session.executeAsync(write, mode) : session.executeAsync(write);
        return written.thenApply(rows -> WriteInfo.of(rows.getExecutionInfo())
                .map(WriteInfo::timestampMicros)
                .orElse(Operation.NO_VERSION));
    }

    @Override
    public boolean mayHaveTakenEffect(Throwable failure) {
        @Nullable Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return cause instanceof UnknownOutcomeException;
    }
}
