/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.jspecify.annotations.Nullable;

/**
 * {@code meteorshower.transactions}: one row for each lane of each data centre, as this node knows it. What the process
 * knows stands there only at the node that runs it. Thread-safe.
 */
public final class TransactionsView extends Show {
    /**
     * What is known of a data centre and its lane; null where it is not.
     *
     * @param group the data centres whose transactions are put into one order with those here
     * @param representative the host id of the node that runs its process
     * @param format of the transactions' entries that its process uses, and
     * @param formats which ones it knows
     * @param trouble in words
     */
    public record DataCentre(
            String name,
            String group,
            @Nullable UUID representative,
            @Nullable Integer format,
            @Nullable String formats,
            @Nullable String trouble,
            @Nullable Lane lane,
            @Nullable Own own) {}

    /** A lane, at a node that runs a process. Positions. */
    public record Lane(boolean ledHere, long decided, long merged) {}

    /**
     * This node's own data centre.
     *
     * @param running null where another node runs it
     */
    public record Own(@Nullable Running running) {}

    /** The data centre's process, at the node that runs it. */
    public record Running(
            long executed,
            String digest,
            long waiting,
            boolean whole,
            long persists,
            long persistMicros,
            long endsBehindMicros) {}

    private final Supplier<List<DataCentre>> look;

    public TransactionsView(Supplier<List<DataCentre>> look) {
        super(define(
                        "transactions",
                        "the data centres' lanes as this node knows them; counts only where it runs its data centre's"
                                + " process",
                        "data_centre",
                        UTF8Type.instance)
                .addClusteringColumn("lane_group", UTF8Type.instance)
                .addRegularColumn("representative", UUIDType.instance)
                .addRegularColumn("role", UTF8Type.instance)
                .addRegularColumn("led_here", BooleanType.instance)
                .addRegularColumn("decided", LongType.instance)
                .addRegularColumn("merged", LongType.instance)
                .addRegularColumn("executed", LongType.instance)
                .addRegularColumn("digest", UTF8Type.instance)
                .addRegularColumn("waiting", LongType.instance)
                .addRegularColumn("whole", BooleanType.instance)
                .addRegularColumn("persists", LongType.instance)
                .addRegularColumn("persist_micros", LongType.instance)
                .addRegularColumn("ends_behind_micros", LongType.instance)
                .addRegularColumn("format", Int32Type.instance)
                .addRegularColumn("formats", UTF8Type.instance)
                .addRegularColumn("trouble", UTF8Type.instance)
                .build());
        this.look = look;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        for (DataCentre each : look.get()) {
            rows.row(each.name, each.group);
            set(rows, "representative", each.representative);
            set(rows, "format", each.format);
            set(rows, "formats", each.formats);
            set(rows, "trouble", each.trouble);
            if (each.lane != null) {
                rows.column("led_here", each.lane.ledHere)
                        .column("decided", each.lane.decided)
                        .column("merged", each.lane.merged);
            }
            if (each.own != null) {
                own(rows, each.own.running);
            }
        }
        return rows;
    }

    private static void own(SimpleDataSet rows, @Nullable Running running) {
        rows.column("role", running == null ? "follower" : "representative");
        if (running != null) {
            rows.column("executed", running.executed)
                    .column("digest", running.digest)
                    .column("waiting", running.waiting)
                    .column("whole", running.whole)
                    .column("persists", running.persists)
                    .column("persist_micros", running.persistMicros)
                    .column("ends_behind_micros", running.endsBehindMicros);
        }
    }
}
