/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import org.apache.cassandra.cql3.statements.TruncateStatement;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.request.Handler;

/** TRUNCATE of an enabled table, which has no place in the order of writes: refuses it. Thread-safe. */
public final class TruncateHandler implements Handler {
    private final ServedTables tables;

    public TruncateHandler(ServedTables tables) {
        this.tables = tables;
    }

    @Override
    public @Nullable Work take(ClientRequest request) {
        if (!(request.statement() instanceof TruncateStatement)) {
            return null;
        }
        for (TableMetadata table : AskedTables.of(request.statement())) {
            if (tables.isEnabled(table)) {
                return () -> refuse(table, request);
            }
        }
        return null;
    }

    private ResultMessage refuse(TableMetadata table, ClientRequest request) {
        request.admit();
        RuntimeException refusal =
                Refusal.refused("TRUNCATE has no place in the order of writes, and the table is enabled. Disable it"
                        + " first (DELETE FROM meteorshower.tables WHERE ...), or delete its rows.");
        tables.note("truncate", table, refusal);
        throw refusal;
    }
}
