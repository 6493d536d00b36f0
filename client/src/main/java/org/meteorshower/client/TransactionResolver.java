/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/** What is asked of the cluster about sessions; may be asked again at will. Thread-safe. */
final class TransactionResolver {

    private final TransactionSettings settings;

    TransactionResolver(TransactionSettings settings) {
        this.settings = settings;
    }

    /**
     * Opens a session at the cluster. One whose opening is not heard of is never used.
     *
     * @param group the name of a group of data centres, without apostrophes; {@link TransactionPools#WHOLE} for that of
     *     all
     */
    CompletableFuture<String> open(MeteorShowerSession session, String group) {
        String of = group.equals(TransactionPools.WHOLE) ? "" : " OF '" + group + "'";
        return ask(session, "OPEN TRANSACTION SESSION" + of).thenApply(page -> text(only(page), "session"));
    }

    /** What became of a transaction; where nothing has yet, nothing ever will. */
    CompletableFuture<TransactionOutcome> resolve(MeteorShowerSession session, TransactionId id) {
        return ask(session, "RESOLVE TRANSACTION " + id).thenApply(page -> {
            Row row = only(page);
            return new TransactionOutcome(
                    switch (text(row, "outcome")) {
                        case "committed" -> TransactionOutcome.State.COMMITTED;
                        case "aborted" -> TransactionOutcome.State.ABORTED;
                        default -> TransactionOutcome.State.FORGOTTEN;
                    },
                    text(row, "reason"),
                    text(row, "detail"));
        });
    }

    private CompletableFuture<AsyncResultSet> ask(MeteorShowerSession session, String cql) {
        SimpleStatement statement = SimpleStatement.newInstance(cql);
        return Insistence.on(
                () -> session.executeInOrder(statement, StatementKind.READ, null),
                failure -> {},
                settings.resolvePatienceNanos());
    }

    private static Row only(AsyncResultSet page) {
        Row row = page.one();
        if (row == null) {
            throw new MalformedPayloadException("The coordinator answered without a row: check that the coordinator's"
                    + " plugin and this client are of one version");
        }
        return row;
    }

    private static String text(Row row, String column) {
        return Objects.requireNonNullElse(row.getString(column), "");
    }
}
