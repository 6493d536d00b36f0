/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.List;
import java.util.function.Supplier;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.meteorshower.protocol.CoreView;

/**
 * {@code meteorshower.leases}: what is promised between this node and its peers, for tables with {@code strict=home}.
 * Thread-safe.
 */
public final class LeasesView extends Show {
    private final Supplier<List<CoreView.Lease>> look;

    public LeasesView(Supplier<List<CoreView.Lease>> look) {
        super(define(
                        "leases",
                        "what is promised between this node and its peers, for strict reads at home",
                        "host_id",
                        UUIDType.instance)
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
        for (CoreView.Lease lease : look.get()) {
            rows.row(lease.peer().value())
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
