/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.ycsb;

import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/**
 * YCSB's operations on the table {@code y_id varchar PRIMARY KEY, field0 varchar, …}. YCSB makes one for each of its
 * threads, and each is used by that thread alone.
 *
 * <p>The key is no field: it is not among what reads return, since YCSB's data integrity check knows fields only.
 */
abstract class TableBinding extends DB {
    private @Nullable RowStore opened;

    /** Throws DBException for a property that is wrong, or where there is no connection. */
    abstract RowStore open(Properties properties) throws DBException;

    @Override
    public void init() throws DBException {
        opened = open(getProperties());
    }

    @Override
    public void cleanup() {
        RowStore store = opened;
        opened = null;
        if (store != null) {
            store.close();
        }
    }

    @Override
    public Status read(
            String table, String key, @Nullable Set<String> fields, @Nullable Map<String, ByteIterator> result) {
        try {
            RowStore store = store();
            Row row = store.read(Cql.select(store.table(table), fields), key).one();
            if (row == null) {
                return Status.NOT_FOUND;
            }
            if (result != null) {
                copy(row, result);
            }
            return Status.OK;
        } catch (RuntimeException e) {
            FailureLog.tell("read", e);
            return Outcomes.ofRead(e);
        }
    }

    @Override
    @SuppressWarnings({"JdkObsolete", "NonApiType"}) // the interface is YCSB's
    public Status scan(
            String table,
            String startKey,
            int recordCount,
            @Nullable Set<String> fields,
            Vector<HashMap<String, ByteIterator>> result) {
        try {
            RowStore store = store();
            ResultSet rows = store.scan(Cql.scan(store.table(table), fields), startKey, recordCount);
            for (Row row : rows) {
                HashMap<String, ByteIterator> values = new HashMap<>();
                copy(row, values);
                result.add(values);
            }
            return Status.OK;
        } catch (RuntimeException e) {
            FailureLog.tell("scan", e);
            return Outcomes.ofRead(e);
        }
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return write(
                "update",
                (store, name) -> {
                    // Sorted, so that the same fields make the same statement.
                    Map<String, ByteIterator> sorted = new TreeMap<>(values);
                    store.write(Cql.update(name, sorted.keySet()), bound(sorted, key));
                },
                table);
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return write(
                "insert",
                (store, name) -> {
                    Map<String, ByteIterator> sorted = new TreeMap<>(values);
                    store.write(Cql.insert(name, sorted.keySet()), bound(sorted, key));
                },
                table);
    }

    @Override
    public Status delete(String table, String key) {
        return write("delete", (store, name) -> store.write(Cql.delete(name), key), table);
    }

    private interface Write {
        void on(RowStore store, String table);
    }

    private Status write(String operation, Write write, String table) {
        RowStore store = store();
        try {
            write.on(store, store.table(table));
            return Status.OK;
        } catch (RuntimeException e) {
            FailureLog.tell(operation, e);
            return Outcomes.ofWrite(e, store.mayHaveTakenEffect(e));
        }
    }

    private static Object[] bound(Map<String, ByteIterator> values, String key) {
        List<Object> bound = new ArrayList<>();
        values.values().forEach(value -> bound.add(value.toString()));
        bound.add(key);
        return bound.toArray();
    }

    private static void copy(Row row, Map<String, ByteIterator> result) {
        for (ColumnDefinition column : row.getColumnDefinitions()) {
            String name = column.getName().asInternal();
            String value = name.equals(Cql.KEY) ? null : row.getString(column.getName());
            if (value != null) {
                result.put(name, new StringByteIterator(value));
            }
        }
    }

    private RowStore store() {
        RowStore store = opened;
        if (store == null) {
            throw new IllegalStateException("init() has not succeeded: the first error says why");
        }
        return store;
    }
}
