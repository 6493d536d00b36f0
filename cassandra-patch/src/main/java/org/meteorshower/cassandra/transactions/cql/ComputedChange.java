/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.schema.ColumnMetadata;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Statement;

/** Sets columns of rows whose keys are computed: one in each partition that is named. Immutable. */
final class ComputedChange implements Compiled.Step {
    private final ModificationStatement write;
    private final ComputedWhere where;
    private final List<Compiled.Change> changes;

    ComputedChange(ModificationStatement write, ComputedWhere where, List<Compiled.Change> changes) {
        this.write = write;
        this.where = where;
        this.changes = List.copyOf(changes);
    }

    @Override
    public void addTo(Binding binding, List<Statement> body) {
        for (ByteBuffer partition : write.buildPartitionKeyNames(binding.of(where.text()), binding.client())) {
            QueryProcessor.validateKey(partition);
            Place ofPartition = new Place(write.metadata(), partition, Clustering.STATIC_CLUSTERING);
            List<Statement.Change.Assignment> assignments = new ArrayList<>();
            for (Compiled.Change change : changes) {
                change.addTo(binding, column -> valueOf(column, ofPartition), (column, value, isStatic) -> {
                    if (isStatic) {
                        throw Errors.invalid(
                                "static columns belong to the partition, and the row's key is computed: set " + column
                                        + " by a statement of its own, without the clustering columns");
                    }
                    assignments.add(new Statement.Change.Assignment(column, value));
                });
            }
            body.add(new Statement.Change(where.row(partition, binding), assignments));
        }
    }

    private static Expression valueOf(ColumnMetadata column, Place partition) {
        if (column.isPrimaryKeyColumn()) {
            throw Errors.invalid(column.name + " is a part of a key that is computed: write what it is computed from");
        }
        return column.isStatic() ? partition.valueOf(column) : new Expression.Own(column.name.toString());
    }
}
