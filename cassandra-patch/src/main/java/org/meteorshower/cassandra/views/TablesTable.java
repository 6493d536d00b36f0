/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractMutableVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientWarn;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.background.Progress;
import org.meteorshower.cassandra.tables.Administrator;
import org.meteorshower.cassandra.tables.Eligibility;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.tables.TableOptions;
import org.meteorshower.cassandra.tables.TableSwitch;
import org.meteorshower.cassandra.tables.TransactionSwitch;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.protocol.TakingPart.Stage;

/**
 * {@code meteorshower.tables}: which tables are enabled, and how they do at this node. Inserting a row enables a table
 * on all nodes, deleting it disables the table; docs/INSTALL.md shows the statements. Thread-safe.
 */
public final class TablesTable extends AbstractMutableVirtualTable {
    /** All tables of a statement have so long to take part in transactions: drivers wait longer for its answer. */
    private static final long BEGUN_WITHIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    /** In place of a table's name: all tables that the keyspace has now and that can be enabled. */
    private static final String ALL = "*";

    private static final String KEYSPACE_NAME = "keyspace_name";
    private static final String TABLE_NAME = "table_name";
    private static final String OPTIONS = "options";
    private static final String BASELINE = "baseline";
    private static final String READY = "ready";
    private static final String STATE = "state";
    private static final String REPAIRED = "repaired";
    private static final String SECONDS_LEFT = "repaired_in_seconds";
    private static final String TRANSACTIONS = "transactions";
    private static final String LANE_GROUP = "lane_group";

    /** How a table does at this node. */
    public interface Condition {
        /** What is said of a table that others serve for this node: not ready here, and nothing wrong. */
        String FORWARDED = "this node holds no replica of it, and forwards its reads";

        /** Why the table is not served here, or null if it is. */
        @Nullable
        String notReady(TableMetadata table);

        /**
         * Whether the ring is another one than that by which the table is served: it goes over to that within seconds.
         */
        boolean isAboutToMove(TableMetadata table);

        /** How far this node is with repairing what it holds of the table; null where it does not. */
        @Nullable
        Progress repair(TableMetadata table);

        /** An operator has repaired the table in full since it was enabled everywhere. */
        void baselineConfirmed(TableMetadata table);
    }

    private final EnabledTables enabled;
    private final TableSwitch tableSwitch;
    private final Condition condition;
    private final TransactionSwitch transactions;

    public TablesTable(
            EnabledTables enabled, TableSwitch tableSwitch, Condition condition, TransactionSwitch transactions) {
        super(Show.define(
                        "tables",
                        "tables served by MeteorShower; insert to enable, delete to disable",
                        KEYSPACE_NAME,
                        UTF8Type.instance)
                .addClusteringColumn(TABLE_NAME, UTF8Type.instance)
                .addRegularColumn(OPTIONS, UTF8Type.instance)
                .addRegularColumn(BASELINE, UTF8Type.instance)
                .addRegularColumn(READY, BooleanType.instance)
                .addRegularColumn(STATE, UTF8Type.instance)
                .addRegularColumn(REPAIRED, DoubleType.instance)
                .addRegularColumn(SECONDS_LEFT, Int32Type.instance)
                .addRegularColumn(TRANSACTIONS, BooleanType.instance)
                .addRegularColumn(LANE_GROUP, UTF8Type.instance)
                .build());
        this.enabled = enabled;
        this.tableSwitch = tableSwitch;
        this.condition = condition;
        this.transactions = transactions;
    }

    /** The enabled tables that this node can neither serve nor forward to others, by name, and why. */
    public Map<String, String> notServed() {
        Map<String, String> reasons = new TreeMap<>();
        for (TableId id : enabled.all().keySet()) {
            TableMetadata table = Schema.instance.getTableMetadata(id);
            String reason = table == null ? null : notReady(table);
            if (reason != null && !reason.equals(Condition.FORWARDED)) {
                reasons.put(String.valueOf(table), reason);
            }
        }
        return reasons;
    }

    private @Nullable String notReady(TableMetadata table) {
        String obstacle = enabled.obstacleTo(table.id);
        return obstacle == null ? condition.notReady(table) : "not served: it " + obstacle;
    }

    /** Who is to wait until a change of the ring is over must not take the moment before it for the end. */
    private String stateOf(TableMetadata table, @Nullable String notReady) {
        if ((notReady == null || notReady.equals(Condition.FORWARDED)) && condition.isAboutToMove(table)) {
            return "its partitions have moved between nodes: it is served as before, and goes over to that within seconds";
        }
        return notReady == null ? "served" : notReady;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        // As the schema has it, so that who has just enabled a table sees it here; this node follows a moment later.
        EnabledTables.declared().forEach((id, options) -> {
            TableMetadata table = Schema.instance.getTableMetadata(id);
            if (table != null) {
                String notReady = enabled.of(id) == null ? "this node is about to begin with it" : notReady(table);
                Progress repair = condition.repair(table);
                rows.row(table.keyspace, table.name)
                        .column(OPTIONS, options.toString())
                        .column(READY, notReady == null)
                        .column(STATE, stateOf(table, notReady))
                        .column(REPAIRED, repair == null ? null : repair.share())
                        .column(SECONDS_LEFT, secondsLeft(repair));
                if (TransactionTables.stage(table) != null) {
                    showWayIn(rows, table);
                }
            }
        });
        TransactionTables.aboutToTakePart().stream()
                .filter(table -> !table.params.extensions.containsKey(TableOptions.EXTENSION))
                .forEach(table -> showWayIn(rows.row(table.keyspace, table.name), table));
        TransactionTables.all().forEach(table -> rows.row(table.keyspace, table.name)
                .column(TRANSACTIONS, true)
                .column(LANE_GROUP, transactions.groupOf(table))
                .column(READY, transactions.isConfigured())
                .column(STATE, transactions.isConfigured() ? "takes part in transactions" : TransactionSwitch.OFF));
        return rows;
    }

    private void showWayIn(SimpleDataSet row, TableMetadata table) {
        String stage = TransactionTables.stage(table) == Stage.CLOSED
                ? "closed, so that requests wait,"
                : "its replicas come together";
        String waitsFor = transactions.waitsFor(table);
        row.column(TRANSACTIONS, false)
                .column(LANE_GROUP, transactions.groupOf(table))
                .column(
                        STATE,
                        stage + " before it takes part in transactions" + (waitsFor == null ? "" : ": " + waitsFor));
    }

    private static @Nullable Integer secondsLeft(@Nullable Progress repair) {
        if (repair == null || repair.secondsLeft() < 0) {
            return null;
        }
        return (int) Math.min(Integer.MAX_VALUE, repair.secondsLeft());
    }

    @Override
    protected void applyColumnUpdate(ColumnValues partition, ColumnValues row, Optional<ColumnValue> value) {
        long deadlineNanos = System.nanoTime() + BEGUN_WITHIN_NANOS;
        for (TableMetadata table : named(partition, row, true)) {
            Administrator.ensureMayAlter(table);
            if (value.isEmpty()) {
                tableSwitch.enable(table, null);
            } else {
                set(table, value.get(), deadlineNanos);
            }
        }
    }

    private void set(TableMetadata table, ColumnValue value, long deadlineNanos) {
        switch (value.name()) {
            case OPTIONS -> tableSwitch.enable(table, value.<String>value());
            case BASELINE -> confirm(table, value.value());
            case TRANSACTIONS -> takePart(table, value.value(), deadlineNanos);
            default ->
                throw refused("column " + value.name() + " only shows; what can be set is " + OPTIONS + ", " + BASELINE
                        + " and " + TRANSACTIONS);
        }
    }

    private void takePart(TableMetadata table, Boolean wanted, long deadlineNanos) {
        if (wanted) {
            transactions.enable(table, deadlineNanos);
        } else {
            transactions.end(table);
        }
    }

    private void confirm(TableMetadata table, String value) {
        if (!value.equals("confirmed")) {
            throw refused("baseline can only be set to 'confirmed', after a full repair of the table, on each node");
        }
        if (enabled.of(table.id) == null) {
            throw refused(table + " is not enabled");
        }
        condition.baselineConfirmed(table);
    }

    @Override
    protected void applyRowDeletion(ColumnValues partition, ColumnValues row) {
        for (TableMetadata table : named(partition, row, false)) {
            Administrator.ensureMayAlter(table);
            if (TransactionTables.stage(table) != null) {
                transactions.end(table);
            } else {
                tableSwitch.disable(table);
            }
        }
    }

    private static List<TableMetadata> named(ColumnValues partition, ColumnValues row, boolean toEnable) {
        String keyspaceName = partition.value(0);
        String tableName = row.value(0);
        KeyspaceMetadata keyspace = Schema.instance.getKeyspaceMetadata(keyspaceName);
        if (keyspace == null) {
            throw refused("there is no keyspace '" + keyspaceName + "'");
        }
        if (tableName.equals(ALL)) {
            return all(keyspace, toEnable);
        }
        TableMetadata table = keyspace.getTableOrViewNullable(tableName);
        if (table == null) {
            throw refused("there is no table '" + tableName + "' in keyspace '" + keyspaceName + "'");
        }
        return List.of(table);
    }

    private static List<TableMetadata> all(KeyspaceMetadata keyspace, boolean toEnable) {
        List<TableMetadata> tables = new ArrayList<>();
        for (TableMetadata table : keyspace.tables) {
            String obstacle = toEnable ? Eligibility.obstacle(keyspace, table) : null;
            if (obstacle == null) {
                tables.add(table);
            } else {
                ClientWarn.instance.warn("MeteorShower: left out " + table + ", which " + obstacle);
            }
        }
        return tables;
    }

    private static InvalidRequestException refused(String reason) {
        return new InvalidRequestException("MeteorShower: " + reason);
    }
}
