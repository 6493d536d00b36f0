/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.nio.ByteBuffer;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.marshal.CompositeType;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.meteorshower.cassandra.transactions.RowForm;
import org.meteorshower.cassandra.transactions.ValueForm;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Value;

/** A row that a statement means. */
record Place(TableMetadata table, ByteBuffer partitionKey, Clustering<?> clustering) implements Compiled.Subject {
    RowKey key() {
        return RowForm.keyOf(table, partitionKey, clustering);
    }

    /** The row that holds the column: static ones have a row of their own. */
    RowKey keyFor(ColumnMetadata column) {
        return column.isStatic() ? RowForm.keyOf(table, partitionKey, Clustering.STATIC_CLUSTERING) : key();
    }

    Statement put(String column, Expression value, boolean ofPartition) {
        RowKey row = ofPartition ? RowForm.keyOf(table, partitionKey, Clustering.STATIC_CLUSTERING) : key();
        return new Statement.Put(row, column, value);
    }

    boolean isStatic() {
        return clustering == Clustering.STATIC_CLUSTERING;
    }

    /** A column of the key has its value where the row exists. */
    @Override
    public Expression valueOf(ColumnMetadata column) {
        if (column.isPrimaryKeyColumn()) {
            return new Expression.Choice(
                    new Expression.Exists(key()),
                    new Expression.Constant(ofKey(column)),
                    new Expression.Constant(Value.NOTHING));
        }
        return new Expression.Column(keyFor(column), column.name.toString());
    }

    /** What a column of the primary key holds. */
    Value ofKey(ColumnMetadata column) {
        if (column.isClusteringColumn()) {
            return isStatic() ? Value.NOTHING : ValueForm.typed(column.type, clustering.bufferAt(column.position()));
        }
        ByteBuffer part = table.partitionKeyType instanceof CompositeType composite
                ? composite.split(partitionKey)[column.position()]
                : partitionKey;
        return ValueForm.typed(column.type, part);
    }
}
