/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.db.virtual.AbstractVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.dht.LocalPartitioner;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;

/** A virtual table of this plugin that only shows. Thread-safe where its source is. */
public abstract class Show extends AbstractVirtualTable {
    /** Of all virtual tables of the plugin. */
    public static final String KEYSPACE = "meteorshower";

    Show(TableMetadata metadata) {
        super(metadata);
    }

    /** The beginning of a table's definition. */
    static TableMetadata.Builder define(String name, String comment, String key, AbstractType<?> keyType) {
        return TableMetadata.builder(KEYSPACE, name)
                .comment(comment)
                .kind(TableMetadata.Kind.VIRTUAL)
                .partitioner(new LocalPartitioner(keyType))
                .addPartitionKeyColumn(key, keyType);
    }

    /** Leaves the column empty where there is nothing to show. */
    static void set(SimpleDataSet rows, String column, @Nullable Object value) {
        if (value != null) {
            rows.column(column, value);
        }
    }

    /** Whole microseconds, or nothing where nothing was measured. */
    static @Nullable Long micros(double micros) {
        return Double.isNaN(micros) ? null : Long.valueOf(Math.round(micros));
    }
}
