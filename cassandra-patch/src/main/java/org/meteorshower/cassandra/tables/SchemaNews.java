/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.SchemaChangeListener;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.schema.ViewMetadata;

/**
 * Has a {@link TableWatcher} look where the schema's change may concern it. Called on Cassandra's thread for schemas.
 */
final class SchemaNews implements SchemaChangeListener {
    private final TableWatcher watcher;

    SchemaNews(TableWatcher watcher) {
        this.watcher = watcher;
    }

    @Override
    public void onCreateTable(TableMetadata table) {
        lookIfEnabled(table);
    }

    @Override
    public void onAlterTable(TableMetadata before, TableMetadata after, boolean affectStatements) {
        if (isEnabled(before)) {
            watcher.look();
        } else {
            watcher.seenOrdinary(before.id);
            lookIfEnabled(after);
        }
    }

    @Override
    public void onDropTable(TableMetadata table, boolean dropData) {
        lookIfEnabled(table);
    }

    @Override
    public void onCreateView(ViewMetadata view) {
        watcher.look();
    }

    @Override
    public void onDropView(ViewMetadata view, boolean dropData) {
        watcher.look();
    }

    @Override
    public void onAlterKeyspace(KeyspaceMetadata before, KeyspaceMetadata after) {
        watcher.look();
    }

    @Override
    public void onDropKeyspace(KeyspaceMetadata keyspace, boolean dropData) {
        watcher.look();
    }

    private void lookIfEnabled(TableMetadata table) {
        if (isEnabled(table)) {
            watcher.look();
        }
    }

    private static boolean isEnabled(TableMetadata table) {
        return table.params.extensions.containsKey(TableOptions.EXTENSION);
    }
}
