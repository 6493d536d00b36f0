/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.Map;
import java.util.function.Supplier;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.meteorshower.cassandra.ways.Way;

/** {@code meteorshower.ways}: how far other nodes are, and what this one has forwarded to them. Thread-safe. */
public final class WaysView extends Show {
    /** Where a node is, as the ring knows it. */
    public record Place(String address, String dataCentre) {}

    private final Supplier<Map<Place, Way.Figures>> look;

    public WaysView(Supplier<Map<Place, Way.Figures>> look) {
        super(define(
                        "ways",
                        "how far other nodes are, and the reads that this one has forwarded to them",
                        "host_id",
                        UUIDType.instance)
                .addRegularColumn("address", UTF8Type.instance)
                .addRegularColumn("data_centre", UTF8Type.instance)
                .addRegularColumn("round_trip_micros", LongType.instance)
                .addRegularColumn("late_after_micros", LongType.instance)
                .addRegularColumn("suspected", BooleanType.instance)
                .addRegularColumn("in_flight", Int32Type.instance)
                .addRegularColumn("reads", LongType.instance)
                .addRegularColumn("probes", LongType.instance)
                .addRegularColumn("hedged", LongType.instance)
                .addRegularColumn("won", LongType.instance)
                .build());
        this.look = look;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        look.get().forEach((place, way) -> {
            rows.row(way.node().value())
                    .column("address", place.address())
                    .column("data_centre", place.dataCentre())
                    .column("late_after_micros", way.patienceMicros())
                    .column("suspected", way.suspected())
                    .column("in_flight", way.inFlight())
                    .column("reads", way.reads())
                    .column("probes", way.probes())
                    .column("hedged", way.hedged())
                    .column("won", way.won());
            set(rows, "round_trip_micros", way.roundTripMicros() < 0 ? null : Long.valueOf(way.roundTripMicros()));
        });
        return rows;
    }
}
