/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.serializers.MarshalException;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.meteorshower.transactions.language.Bytes;
import org.meteorshower.transactions.language.Kind;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.RowOrder;
import org.meteorshower.transactions.language.Value;

/** Between Cassandra's slices of a partition and the transactions' own ranges. Stateless. */
public final class RangeForm {
    private RangeForm() {}

    /**
     * How the rows of a partition stand: as the table's comparator has them.
     *
     * @throws IllegalArgumentException if transactions cannot tell, saying which column is in the way
     */
    public static RowOrder orderOf(TableMetadata table) {
        List<RowOrder.Column> columns = new ArrayList<>();
        for (ColumnMetadata column : table.clusteringColumns()) {
            Kind kind = kindOf(column.type);
            if (!kind.isOrdered()) {
                throw new IllegalArgumentException("the rows of " + table + " are ordered by " + column.name
                        + ", and transactions know no order of values of "
                        + column.type.unwrap().asCQL3Type());
            }
            columns.add(new RowOrder.Column(kind, column.type.valueLengthIfFixed(), column.type.isReversed()));
        }
        return new RowOrder(columns);
    }

    public static Partition partitionOf(TableMetadata table, ByteBuffer partitionKey) {
        return new Partition(table.id.toString(), KeyText.partition(partitionKey));
    }

    /** Whether transactions can tell. */
    public static boolean hasOrder(TableMetadata table) {
        return table.clusteringColumns().stream()
                .allMatch(column -> kindOf(column.type).isOrdered());
    }

    private static Kind kindOf(AbstractType<?> type) {
        return type.unwrap() == UUIDType.instance ? Kind.UUID : ValueForm.kindOf(type);
    }

    /**
     * @param most as many rows, at most; {@link Range#ALL} for all
     * @throws IllegalArgumentException if it cannot be, saying why
     */
    public static Range of(TableMetadata table, ByteBuffer partitionKey, Slice slice, boolean backward, int most) {
        return new Range(
                partitionOf(table, partitionKey),
                orderOf(table),
                edge(table, slice.start()),
                edge(table, slice.end()),
                backward,
                most);
    }

    /** Written as rows' keys are. What is no value of its type would only be found out while the transaction runs. */
    private static Range.Edge edge(TableMetadata table, ClusteringBound<?> bound) {
        List<Value.Typed> values = new ArrayList<>();
        for (int i = 0; i < bound.size(); i++) {
            ColumnMetadata column = table.clusteringColumns().get(i);
            AbstractType<?> type = column.type;
            ByteBuffer value = bound.bufferAt(i);
            if (value == null) {
                throw new IllegalArgumentException(column.name + " cannot be compared with null: bind a value");
            }
            try {
                type.validate(value);
            } catch (MarshalException e) {
                throw new IllegalArgumentException(column.name + " cannot be compared with that: " + e.getMessage());
            }
            Bytes bytes = Bytes.copyOf(ByteBufferUtil.getArray(KeyText.canonical(type, value)));
            values.add(new Value.Typed(kindOf(type), bytes));
        }
        return new Range.Edge(values, bound.isInclusive());
    }
}
