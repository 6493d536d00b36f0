/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc.cql;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Texts prepared in one data centre, each when it is first asked for. Thread-safe. */
final class TpccStatements {
    private final CqlSession session;
    private final Map<String, CompletionStage<PreparedStatement>> prepared = new ConcurrentHashMap<>();

    TpccStatements(CqlSession session) {
        this.session = session;
    }

    /** Waits for one statement. Throws the driver's exceptions. */
    void look(String text) {
        session.execute(SimpleStatement.newInstance(text).setConsistencyLevel(ConsistencyLevel.QUORUM));
    }

    CompletionStage<PreparedStatement> prepare(String text) {
        return prepared.computeIfAbsent(text, session::prepareAsync).whenComplete((done, failure) -> {
            if (failure != null) {
                prepared.remove(text);
            }
        });
    }

    /** At QUORUM: strictly, whatever it is. */
    CompletionStage<AsyncResultSet> run(String text, @Nullable Object... values) {
        return run(ConsistencyLevel.QUORUM, text, values);
    }

    CompletionStage<AsyncResultSet> run(ConsistencyLevel level, String text, @Nullable Object... values) {
        return prepare(text)
                .thenCompose(
                        statement -> session.executeAsync(statement.bind(values).setConsistencyLevel(level)));
    }
}
