/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.functions.Function;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.log.Formats;

/** What names mean while a transaction is compiled. Used by one thread. */
final class Scope {
    private final Map<String, BoundRow> bound = new HashMap<>();
    private final Markers markers;
    private final List<Function> functions = new ArrayList<>();
    private final Map<TableId, TableMetadata> read = new LinkedHashMap<>();

    private int format = Formats.FIRST;

    /** Where functions and types without a keyspace are looked for. */
    private String keyspace = "system";

    /** The table whose row is being updated. */
    private @Nullable TableMetadata own;

    Scope(Markers markers) {
        this.markers = markers;
    }

    Markers markers() {
        return markers;
    }

    List<Function> functions() {
        return functions;
    }

    String keyspace() {
        return keyspace;
    }

    @Nullable
    TableMetadata own() {
        return own;
    }

    void within(TableMetadata table) {
        own = table;
        keyspace = table.keyspace;
    }

    void outside() {
        own = null;
    }

    /** That the transaction can be proposed from this format on. */
    void needs(int since) {
        format = Math.max(format, since);
    }

    /** See {@link Formats}. */
    int format() {
        return format;
    }

    /** Tables whose rows a write looks at before it changes them: what comes of it tells what they hold. */
    List<TableMetadata> read() {
        return List.copyOf(read.values());
    }

    void reads(TableMetadata table) {
        read.put(table.id, table);
    }

    void bind(String name, BoundRow row) {
        if (name.indexOf('.') >= 0) {
            throw Errors.invalid("LET \"" + name + "\": leave the dot out of the name");
        } else if (bound.put(name, row) != null) {
            throw Errors.invalid("LET " + name + " is there twice: use unique names");
        }
        keyspace = row.select().keyspace();
    }

    BoundRow row(String name) {
        BoundRow row = bound.get(name);
        if (row == null) {
            throw Errors.invalid("no LET before this has bound " + name
                    + (bound.isEmpty()
                            ? ""
                            : "; bound are " + String.join(", ", new java.util.TreeSet<>(bound.keySet()))));
        }
        return row;
    }

    boolean isBound(String name) {
        return bound.containsKey(name);
    }
}
