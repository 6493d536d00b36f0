/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.notifications.INotificationConsumer;
import org.apache.cassandra.notifications.SSTableAddedNotification;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.SchemaChangeListener;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.meteorshower.cassandra.placement.PlacementRefresh;
import org.meteorshower.cassandra.store.LocalStore;
import org.meteorshower.cassandra.store.TrackedTables;
import org.meteorshower.runtime.MeteorShower;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the schema: begins and ends the tracking of tables at this node as they are enabled and disabled anywhere in
 * the cluster. Schema changes only ask for a look; the looking is done on one thread of its own, since it may wait.
 */
public final class TableWatcher implements SchemaChangeListener {
    private static final Logger log = LoggerFactory.getLogger(TableWatcher.class);

    private final EnabledTables enabled;
    private final TrackedTables tracked;
    private final MeteorShower meteorShower;
    private final PlacementRefresh placement;
    private final ExecutorService thread;
    private final Map<TableId, INotificationConsumer> foreignDataWatchers = new HashMap<>();

    public TableWatcher(
            EnabledTables enabled,
            TrackedTables tracked,
            MeteorShower meteorShower,
            PlacementRefresh placement,
            ExecutorService thread) {
        this.enabled = enabled;
        this.tracked = tracked;
        this.meteorShower = meteorShower;
        this.placement = placement;
        this.thread = thread;
    }

    /** Brings this node in step with the schema. Waits for mutations of newly enabled tables that are under way. */
    public synchronized void sync() {
        Map<TableId, TableOptions> before = enabled.all();
        Map<TableId, TableOptions> now = EnabledTables.declared();
        Set<TableId> begun = new java.util.HashSet<>(now.keySet());
        begun.removeAll(before.keySet());
        Set<TableId> ended = new java.util.HashSet<>(before.keySet());
        ended.removeAll(now.keySet());

        Map<TableId, TrackedTables.Tracking> trackings = new HashMap<>();
        begun.forEach(table -> trackings.put(table, tracked.begin(table)));
        try {
            enabled.replace(now);
            placement.refresh();
            trackings.forEach(this::begin);
        } finally {
            trackings.values().forEach(TrackedTables.Tracking::goLive);
        }
        ended.forEach(this::end);
    }

    private void begin(TableId id, TrackedTables.Tracking tracking) {
        tracking.awaitEarlier();
        ColumnFamilyStore store = Schema.instance.getColumnFamilyStoreInstance(id);
        if (store == null) {
            return;
        }
        watchForeignData(id, store);
        boolean empty = LocalStore.isEmpty(store);
        meteorShower.tableEnabled(id.asUUID(), empty);
        log.info(
                "MeteorShower: {}.{} is enabled on this node, which holds {} of it",
                store.getKeyspaceName(),
                store.name,
                empty ? "nothing" : "data");
    }

    /** SSTables that no memtable of this node was flushed into were streamed or imported; compactions do not tell here. */
    private void watchForeignData(TableId id, ColumnFamilyStore store) {
        INotificationConsumer watcher = (notification, sender) -> {
            if (notification instanceof SSTableAddedNotification added
                    && added.memtable().isEmpty()) {
                meteorShower.foreignData(id.asUUID());
            }
        };
        foreignDataWatchers.put(id, watcher);
        store.getTracker().subscribe(watcher);
    }

    private void end(TableId id) {
        tracked.end(id);
        meteorShower.tableDisabled(id.asUUID());
        ColumnFamilyStore store = Schema.instance.getColumnFamilyStoreInstance(id);
        INotificationConsumer watcher = foreignDataWatchers.remove(id);
        if (store != null && watcher != null) {
            store.getTracker().unsubscribe(watcher);
        }
        log.info("MeteorShower: table {} is no longer enabled", id);
    }

    private void look() {
        try {
            thread.execute(() -> {
                try {
                    sync();
                } catch (RuntimeException e) {
                    log.error("MeteorShower: could not follow a change of the schema", e);
                }
            });
        } catch (RejectedExecutionException e) {
            log.debug("The node is going down; schema changes no longer matter", e);
        }
    }

    @Override
    public void onCreateTable(TableMetadata table) {
        lookIf(table);
    }

    @Override
    public void onAlterTable(TableMetadata before, TableMetadata after, boolean affectStatements) {
        if (before.params.extensions.containsKey(TableOptions.EXTENSION)) {
            look();
        } else {
            lookIf(after);
        }
    }

    @Override
    public void onDropTable(TableMetadata table, boolean dropData) {
        lookIf(table);
    }

    @Override
    public void onAlterKeyspace(KeyspaceMetadata before, KeyspaceMetadata after) {
        look();
    }

    @Override
    public void onDropKeyspace(KeyspaceMetadata keyspace, boolean dropData) {
        look();
    }

    private void lookIf(TableMetadata table) {
        if (table.params.extensions.containsKey(TableOptions.EXTENSION)) {
            look();
        }
    }
}
