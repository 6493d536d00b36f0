/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.List;
import java.util.function.Supplier;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.meteorshower.protocol.CoreView;

/**
 * {@code meteorshower.leases}: what is promised between this node and its peers, for tables with {@code strict=home}.
 * Thread-safe.
 */
public final class LeasesView extends Show {
    private final Supplier<List<Entry>> look;

    /** @param address of the peer */
    public record Entry(String address, String dataCentre, CoreView.Lease lease) {}

    public LeasesView(Supplier<List<Entry>> look) {
        super(define(
                        "leases",
                        "what is promised between this node and its peers, for strict reads at home",
                        "host_id",
                        UUIDType.instance)
                .addRegularColumn("address", UTF8Type.instance)
                .addRegularColumn("data_centre", UTF8Type.instance)
                .addRegularColumn("held_micros", LongType.instance)
                .addRegularColumn("promised_micros", LongType.instance)
                .addRegularColumn("asks", BooleanType.instance)
                .addRegularColumn("lags", BooleanType.instance)
                .addRegularColumn("times", LongType.instance)
                .addRegularColumn("lapses", LongType.instance)
                .build());
        this.look = look;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        for (Entry entry : look.get()) {
            CoreView.Lease lease = entry.lease();
            rows.row(lease.peer().value())
                    .column("address", entry.address())
                    .column("data_centre", entry.dataCentre())
                    .column("held_micros", lease.heldMicros())
                    .column("promised_micros", lease.promisedMicros())
                    .column("asks", lease.asks())
                    .column("lags", lease.lags())
                    .column("times", lease.times())
                    .column("lapses", lease.lapses());
        }
        return rows;
    }
}
