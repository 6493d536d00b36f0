/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.util.List;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.cql3.statements.SelectStatement;
import org.apache.cassandra.cql3.statements.TruncateStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.meteorshower.cassandra.request.ClientRequest;

/** Which tables a request is about. Stateless. */
final class AskedTables {
    private AskedTables() {}

    /** Those that the statement reads, writes or truncates; none for any other. */
    static List<TableMetadata> of(CQLStatement statement) {
        if (statement instanceof SelectStatement select) {
            return List.of(select.table);
        } else if (statement instanceof ModificationStatement write) {
            return List.of(write.metadata());
        } else if (statement instanceof BatchStatement batch) {
            return batch.getStatements().stream()
                    .map(ModificationStatement::metadata)
                    .toList();
        } else if (statement instanceof TruncateStatement truncate) {
            TableMetadata table = Schema.instance.getTableMetadata(truncate.keyspace(), truncate.name());
            return table == null ? List.of() : List.of(table);
        }
        return List.of();
    }

    /**
     * Those of a request for rows, at a level that MeteorShower serves where they are enabled; reads at others are
     * Cassandra's.
     */
    static List<TableMetadata> ofRows(ClientRequest request) {
        boolean passes = request.statement() instanceof TruncateStatement
                || (request.statement() instanceof SelectStatement
                        && request.level() != ConsistencyLevel.QUORUM
                        && request.level() != ConsistencyLevel.ALL);
        return passes ? List.of() : of(request.statement());
    }
}
