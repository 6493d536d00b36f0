/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.util.List;
import java.util.Locale;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.cql3.statements.TruncateStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.tables.TableOptions;

/** Where a statement goes. */
enum Route {
    /** Cassandra's own path. */
    CASSANDRA,

    READ {
        @Override
        ResultMessage serve(
                CQLStatement statement,
                QueryState state,
                QueryOptions options,
                Session session,
                RequestTime requestTime,
                Services up) {
            return up.selects().serve((SelectStatement) statement, state, options, session, requestTime);
        }
    },

    WRITE {
        @Override
        ResultMessage serve(
                CQLStatement statement,
                QueryState state,
                QueryOptions options,
                Session session,
                RequestTime requestTime,
                Services up) {
            return statement instanceof BatchStatement batch
                    ? up.writes().write(batch, state, options, session, requestTime)
                    : up.writes().write((ModificationStatement) statement, state, options, session, requestTime);
        }
    },

    TRUNCATE {
        @Override
        ResultMessage serve(
                CQLStatement statement,
                QueryState state,
                QueryOptions options,
                Session session,
                RequestTime requestTime,
                Services up) {
            throw Refusal.refused("TRUNCATE has no place in the order of writes, and the table is enabled. Disable it"
                    + " first (DELETE FROM meteorshower.tables WHERE ...), or delete its rows.");
        }
    };

    /** As people call it. */
    String operation() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The table that the statement is about; of a batch the first one that is enabled. */
    String tableOf(CQLStatement statement, Services up) {
        if (statement instanceof SelectStatement select) {
            return select.table.toString();
        } else if (statement instanceof ModificationStatement write) {
            return write.metadata().toString();
        } else if (statement instanceof BatchStatement batch) {
            for (ModificationStatement each : batch.getStatements()) {
                if (up.enabled().of(each.metadata().id) != null) {
                    return each.metadata().toString();
                }
            }
        } else if (statement instanceof TruncateStatement truncate) {
            return truncate.keyspace() + "." + truncate.name();
        }
        return "";
    }

    /** The tables of a request for rows at a level that MeteorShower serves where they are enabled; reads at others are Cassandra's. */
    static List<TableMetadata> tablesIn(CQLStatement statement, @Nullable ConsistencyLevel level) {
        if (statement instanceof SelectStatement select) {
            return level == ConsistencyLevel.QUORUM || level == ConsistencyLevel.ALL
                    ? List.of(select.table)
                    : List.of();
        } else if (statement instanceof ModificationStatement write) {
            return List.of(write.metadata());
        } else if (statement instanceof BatchStatement batch) {
            return batch.getStatements().stream()
                    .map(ModificationStatement::metadata)
                    .toList();
        }
        return List.of();
    }

    ResultMessage serve(
            CQLStatement statement,
            QueryState state,
            QueryOptions options,
            Session session,
            RequestTime requestTime,
            Services up) {
        throw new IllegalStateException("not for MeteorShower: " + statement);
    }

    static Route of(CQLStatement statement, QueryOptions options, @Nullable Services up) {
        if (up != null && up.enabled().none()) {
            return CASSANDRA;
        }
        if (statement instanceof SelectStatement select) {
            boolean served = up == null
                    ? isDeclared(select.table) && options.getConsistency() == ConsistencyLevel.QUORUM
                    : up.selects().isServed(select, options);
            return served ? READ : CASSANDRA;
        }
        if (statement instanceof ModificationStatement write) {
            return isEnabled(write.metadata(), up) ? WRITE : CASSANDRA;
        }
        if (statement instanceof BatchStatement batch) {
            return of(batch, up);
        }
        if (statement instanceof TruncateStatement truncate) {
            TableMetadata table = Schema.instance.getTableMetadata(truncate.keyspace(), truncate.name());
            return table != null && isEnabled(table, up) ? TRUNCATE : CASSANDRA;
        }
        return CASSANDRA;
    }

    static Route of(BatchStatement batch, @Nullable Services up) {
        if (up != null && up.enabled().none()) {
            return CASSANDRA;
        }
        for (ModificationStatement each : batch.getStatements()) {
            if (isEnabled(each.metadata(), up)) {
                return WRITE;
            }
        }
        return CASSANDRA;
    }

    private static boolean isEnabled(TableMetadata table, @Nullable Services up) {
        return up == null ? isDeclared(table) : up.enabled().of(table.id) != null;
    }

    /** What the schema says, when nobody follows it. */
    private static boolean isDeclared(TableMetadata table) {
        TableMetadata current = Schema.instance.getTableMetadata(table.id);
        return current != null && current.params.extensions.containsKey(TableOptions.EXTENSION);
    }
}
