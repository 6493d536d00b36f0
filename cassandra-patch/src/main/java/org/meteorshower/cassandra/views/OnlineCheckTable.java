/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.Optional;
import org.apache.cassandra.db.marshal.DoubleType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.AbstractMutableVirtualTable;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.meteorshower.cassandra.check.OnlineCheck;
import org.meteorshower.cassandra.tables.Administrator;
import org.meteorshower.onlinecheck.CheckFigures;

/** {@code meteorshower.online_check}: what the online checker of this node does; its share can be set. Thread-safe. */
public final class OnlineCheckTable extends AbstractMutableVirtualTable {
    private static final String NODE = "here";
    private static final String SHARE = "share";

    private final OnlineCheck check;

    public OnlineCheckTable(OnlineCheck check) {
        super(Show.define(
                        "online_check",
                        "the online checker of this node; update share (0 is off, 1 all partitions)",
                        "node",
                        UTF8Type.instance)
                .addRegularColumn(SHARE, DoubleType.instance)
                .addRegularColumn("violations", LongType.instance)
                .addRegularColumn("judged", LongType.instance)
                .addRegularColumn("undecided", LongType.instance)
                .addRegularColumn("unknown", LongType.instance)
                .addRegularColumn("overflowed", LongType.instance)
                .addRegularColumn("dropped", LongType.instance)
                .build());
        this.check = check;
    }

    @Override
    public DataSet data() {
        CheckFigures figures = check.figures();
        return new SimpleDataSet(metadata())
                .row(NODE)
                .column(SHARE, check.share())
                .column("violations", figures.violations())
                .column("judged", figures.judged())
                .column("undecided", figures.undecided())
                .column("unknown", figures.unknown())
                .column("overflowed", figures.overflowed())
                .column("dropped", check.dropped());
    }

    @Override
    protected void applyColumnUpdate(ColumnValues partition, ColumnValues row, Optional<ColumnValue> value) {
        Administrator.ensureMayAlterAll();
        if (!NODE.equals(partition.value(0))
                || value.isEmpty()
                || !value.get().name().equals(SHARE)) {
            throw refused("what can be set is " + SHARE + ", where node = '" + NODE + "'");
        }
        double share = value.get().<Double>value();
        if (!(share >= 0 && share <= 1)) {
            throw refused(
                    SHARE + " is the part of the partitions that are checked, from 0 (off) to 1, and not " + share);
        }
        check.sample(share);
    }

    private static InvalidRequestException refused(String reason) {
        return new InvalidRequestException("MeteorShower: " + reason);
    }
}
