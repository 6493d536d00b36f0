/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.LivenessInfo;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.ListType;
import org.apache.cassandra.db.marshal.MapType;
import org.apache.cassandra.db.marshal.SetType;
import org.apache.cassandra.db.marshal.UserType;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.db.rows.BTreeRow;
import org.apache.cassandra.db.rows.BufferCell;
import org.apache.cassandra.db.rows.Cell;
import org.apache.cassandra.db.rows.CellPath;
import org.apache.cassandra.db.rows.ColumnData;
import org.apache.cassandra.db.rows.ComplexColumnData;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.FBUtilities;
import org.apache.cassandra.utils.TimeUUID;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Value;

/**
 * Between Cassandra's rows and the transactions' own. A partition's static columns are a row of their own, named by
 * {@link Clustering#STATIC_CLUSTERING}. Stateless.
 */
public final class RowForm {
    /** The column that says that a row was inserted, and so exists without values. */
    public static final String MARKER = "";

    /** List cells are named by time and place, and ordered by signed bytes: with this the places are in order. */
    private static final long LIST_CELLS = 0x8080_8080_8080_8080L;

    private RowForm() {}

    /** The same for all ways to write the same clustering, such as 1.0 and 1.00. */
    public static RowKey keyOf(TableMetadata table, ByteBuffer partitionKey, Clustering<?> clustering) {
        return new RowKey(table.id.toString(), KeyText.of(table, partitionKey, clustering));
    }

    /** @throws IllegalArgumentException if it is no key of {@link #keyOf} */
    public static ByteBuffer partitionKeyOf(RowKey key) {
        return KeyText.partitionKey(key.key());
    }

    /** @throws IllegalArgumentException if it is no key of {@link #keyOf} of this table */
    public static Clustering<?> clusteringOf(TableMetadata table, RowKey key) {
        return KeyText.clustering(table, key.key());
    }

    /** @param nowSeconds what has expired by then is left out */
    public static Row fromCassandra(
            TableMetadata table, org.apache.cassandra.db.rows.@Nullable Row row, long nowSeconds) {
        if (row == null) {
            return Row.ABSENT;
        }
        TreeMap<String, Value> columns = new TreeMap<>();
        DeletionTime deleted = row.deletion().time();
        LivenessInfo liveness = row.primaryKeyLivenessInfo();
        if (liveness.isLive(nowSeconds) && !deleted.deletes(liveness)) {
            columns.put(MARKER, Value.TRUE);
        }
        for (ColumnData data : row) {
            if (table.getColumn(data.column().name) != null) {
                Value value = data.column().isComplex()
                        ? complex((ComplexColumnData) data, deleted, nowSeconds)
                        : simple((Cell<?>) data, deleted, nowSeconds);
                if (!value.equals(Value.NOTHING)) {
                    columns.put(data.column().name.toString(), value);
                }
            }
        }
        return new Row(columns);
    }

    /**
     * The whole row as of this version: what it does not hold is deleted. Columns that the table has no more are left
     * out.
     */
    public static PartitionUpdate toUpdate(TableMetadata table, RowKey key, Row row, long timestampMicros) {
        Clustering<?> clustering = clusteringOf(table, key);
        long nowSeconds = FBUtilities.nowInSeconds();
        org.apache.cassandra.db.rows.Row.Builder builder = BTreeRow.unsortedBuilder();
        builder.newRow(clustering);
        boolean isStatic = clustering == Clustering.STATIC_CLUSTERING;
        if (!isStatic) {
            // Before the cells, so that it takes what was there and leaves what is written along with it.
            long deletedMicros = row.exists() ? timestampMicros - 1 : timestampMicros;
            builder.addRowDeletion(
                    org.apache.cassandra.db.rows.Row.Deletion.regular(DeletionTime.build(deletedMicros, nowSeconds)));
            if (!row.get(MARKER).equals(Value.NOTHING)) {
                builder.addPrimaryKeyLivenessInfo(
                        CellLife.of(row, MARKER, nowSeconds).liveness(timestampMicros));
            }
        }
        for (ColumnMetadata column : isStatic ? table.staticColumns() : table.regularColumns()) {
            Value value = row.get(column.name.toString());
            CellLife life = CellLife.of(row, column.name.toString(), nowSeconds);
            if (column.isComplex()) {
                if (isStatic) {
                    builder.addComplexDeletion(column, DeletionTime.build(timestampMicros - 1, nowSeconds));
                }
                addCells(builder, column, value, timestampMicros, life);
            } else if (value instanceof Value.Typed typed) {
                builder.addCell(life.cell(column, timestampMicros, ValueForm.buffer(typed), null));
            } else if (isStatic) {
                builder.addCell(BufferCell.tombstone(column, timestampMicros, nowSeconds));
            }
        }
        PartitionUpdate.Builder update =
                new PartitionUpdate.Builder(table, partitionKeyOf(key), table.regularAndStaticColumns(), 1);
        update.add(builder.build());
        return update.build();
    }

    private static Value simple(Cell<?> cell, DeletionTime deleted, long nowSeconds) {
        return cell.isLive(nowSeconds) && !deleted.deletes(cell)
                ? ValueForm.typed(cell.column().type, cell.buffer())
                : Value.NOTHING;
    }

    private static Value complex(ComplexColumnData data, DeletionTime deleted, long nowSeconds) {
        AbstractType<?> type = data.column().type;
        List<Value> items = new ArrayList<>();
        TreeMap<Value.Typed, Value.Typed> entries = new TreeMap<>();
        for (Cell<?> cell : data) {
            if (!cell.isLive(nowSeconds)
                    || deleted.deletes(cell)
                    || data.complexDeletion().deletes(cell)) {
                continue;
            }
            ByteBuffer path = cell.path().get(0);
            if (type instanceof ListType<?> list) {
                items.add(ValueForm.typed(list.getElementsType(), cell.buffer()));
            } else if (type instanceof SetType<?> set) {
                Value.Typed member = ValueForm.typed(set.getElementsType(), path);
                entries.put(member, member);
            } else if (type instanceof MapType<?, ?> map) {
                entries.put(
                        ValueForm.typed(map.getKeysType(), path), ValueForm.typed(map.getValuesType(), cell.buffer()));
            } else if (type instanceof UserType user) {
                Value.Typed field = ValueForm.typed(user.nameComparator(), path);
                entries.put(field, ValueForm.typed(user.fieldType(ValueForm.placeOf(field)), cell.buffer()));
            } else {
                throw ValueForm.unknown(type);
            }
        }
        if (items.isEmpty() && entries.isEmpty()) {
            return Value.NOTHING;
        } else if (type instanceof ListType<?>) {
            return new Value.Items(items);
        }
        return type instanceof SetType<?>
                ? new Value.Members(new TreeSet<>(entries.keySet()))
                : new Value.Entries(entries);
    }

    private static void addCells(
            org.apache.cassandra.db.rows.Row.Builder builder,
            ColumnMetadata column,
            Value value,
            long timestampMicros,
            CellLife life) {
        if (value instanceof Value.Items items) {
            for (int i = 0; i < items.values().size(); i++) {
                // The same name in every data centre, so that a repair between them does not double the list.
                ByteBuffer path = TimeUUID.atUnixMicrosWithLsb(timestampMicros, LIST_CELLS ^ i)
                        .toBytes();
                ByteBuffer item = ValueForm.buffer((Value.Typed) items.values().get(i));
                builder.addCell(life.cell(column, timestampMicros, item, CellPath.create(path)));
            }
        } else if (value instanceof Value.Members members) {
            for (Value.Typed member : members.values()) {
                builder.addCell(life.cell(
                        column,
                        timestampMicros,
                        ByteBufferUtil.EMPTY_BYTE_BUFFER,
                        CellPath.create(ValueForm.buffer(member))));
            }
        } else if (value instanceof Value.Entries entries) {
            entries.values()
                    .forEach((path, each) -> builder.addCell(life.cell(
                            column, timestampMicros, ValueForm.buffer(each), CellPath.create(ValueForm.buffer(path)))));
        }
    }
}
