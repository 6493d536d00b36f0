/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.cassandra.db.Clustering;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.marshal.CompositeType;
import org.apache.cassandra.schema.ColumnMetadata;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.utils.JsonUtils;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Value;

/** The transactions' rows as JSON, each value in the form that {@code SELECT JSON} gives it. Stateless. */
public final class RowJson {
    private RowJson() {}

    /** The columns of the primary key; of a partition's static columns those of the partition. */
    public static String key(TableMetadata table, RowKey key) {
        List<String> members = new ArrayList<>();
        ByteBuffer partition = RowForm.partitionKeyOf(key);
        List<ColumnMetadata> columns = table.partitionKeyColumns();
        ByteBuffer[] parts = columns.size() == 1
                ? new ByteBuffer[] {partition}
                : ((CompositeType) table.partitionKeyType).split(partition);
        for (int i = 0; i < parts.length; i++) {
            members.add(member(columns.get(i), parts[i]));
        }
        Clustering<?> clustering = RowForm.clusteringOf(table, key);
        for (int i = 0; i < clustering.size(); i++) {
            members.add(member(table.clusteringColumns().get(i), clustering.bufferAt(i)));
        }
        return object(members);
    }

    /**
     * All other columns that have a value; null where there is no such row. Columns that the table has no more are left
     * out.
     */
    public static @Nullable String row(TableMetadata table, Row row) {
        if (!row.exists()) {
            return null;
        }
        List<String> members = new ArrayList<>();
        for (ColumnMetadata column : table.regularAndStaticColumns()) {
            Value value = row.get(column.name.toString());
            ByteBuffer bytes = ValueForm.toBytes(column.type, value);
            if (bytes != null) {
                members.add(member(column, bytes));
            }
        }
        return object(members);
    }

    /** In the place of what cannot be told. No column is called so, unless somebody quotes its name. */
    public static String leftOut(String why) {
        return "{\"$left_out\":\"" + JsonUtils.quoteAsJsonString(why) + "\"}";
    }

    private static String member(ColumnMetadata column, ByteBuffer value) {
        AbstractType<?> type = column.type.unwrap();
        return '"' + JsonUtils.quoteAsJsonString(column.name.toString()) + "\":"
                + type.toJSONString(value, ProtocolVersion.CURRENT);
    }

    private static String object(List<String> members) {
        return members.stream().collect(Collectors.joining(",", "{", "}"));
    }
}
