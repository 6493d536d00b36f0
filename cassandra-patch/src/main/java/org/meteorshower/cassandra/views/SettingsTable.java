/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.Optional;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractMutableVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.service.ClientWarn;
import org.meteorshower.cassandra.config.ConfigException;
import org.meteorshower.cassandra.config.RunTimeOptions;
import org.meteorshower.cassandra.tables.Administrator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code meteorshower.settings}: the options of this node that can be changed while it runs. Updating a value changes
 * it until the next start, deleting the row takes the change back. Thread-safe.
 */
public final class SettingsTable extends AbstractMutableVirtualTable {
    private static final Logger log = LoggerFactory.getLogger(SettingsTable.class);
    private static final String NAME = "name";
    private static final String VALUE = "value";
    private static final String AT_START = "at_start";
    private static final String CHANGED = "changed";

    /** What is done to an option. */
    @FunctionalInterface
    private interface Step {
        RunTimeOptions.Change take() throws ConfigException;
    }

    private final RunTimeOptions options;

    public SettingsTable(RunTimeOptions options) {
        super(Show.define(
                        "settings",
                        "options of this node, until its next start; update value, or delete the row to go back",
                        NAME,
                        UTF8Type.instance)
                .addRegularColumn(VALUE, UTF8Type.instance)
                .addRegularColumn(AT_START, UTF8Type.instance)
                .addRegularColumn(CHANGED, BooleanType.instance)
                .build());
        this.options = options;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        for (RunTimeOptions.Option option : options.all()) {
            rows.row(option.name())
                    .column(VALUE, option.value())
                    .column(AT_START, option.atStart())
                    .column(CHANGED, option.isChanged());
        }
        return rows;
    }

    @Override
    protected void applyColumnUpdate(ColumnValues partition, ColumnValues row, Optional<ColumnValue> value) {
        Administrator.ensureMayAlterAll();
        if (value.isEmpty() || !value.get().name().equals(VALUE)) {
            throw refused("what can be set is " + VALUE
                    + ": UPDATE meteorshower.settings SET value = '...' WHERE name = '...'");
        }
        String name = partition.value(0);
        String text = value.get().value();
        RunTimeOptions.Change change = taken(() -> options.set(name, text));
        ClientWarn.instance.warn("MeteorShower: " + name + " is " + change.after() + " (it was " + change.before()
                + ") at this node until its next start. To keep it, put '" + change.line()
                + "' into its meteorshower.yaml; other nodes are told one by one");
    }

    @Override
    protected void applyPartitionDeletion(ColumnValues partition) {
        Administrator.ensureMayAlterAll();
        String name = partition.value(0);
        var unused = taken(() -> options.reset(name));
    }

    private static RunTimeOptions.Change taken(Step step) {
        try {
            RunTimeOptions.Change change = step.take();
            log.info(
                    "MeteorShower: {} has changed option {} from {} to {}, until the next start",
                    Administrator.name(),
                    change.name(),
                    change.before(),
                    change.after());
            return change;
        } catch (ConfigException e) {
            throw refused(String.valueOf(e.getMessage()));
        }
    }

    private static InvalidRequestException refused(String reason) {
        return new InvalidRequestException("MeteorShower: " + reason);
    }
}
