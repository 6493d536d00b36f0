/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.time.Instant;
import java.util.Date;
import java.util.Locale;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.TimestampType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.meteorshower.cassandra.metrics.Refusals;

/** {@code meteorshower.refusals}: what this node has refused of late, why, and what helps. Thread-safe. */
public final class RefusalsView extends Show {
    private final Refusals refusals;

    public RefusalsView(Refusals refusals) {
        super(define("refusals", "what this node has refused of late, why, and what helps", "cause", UTF8Type.instance)
                .addClusteringColumn("operation", UTF8Type.instance)
                .addClusteringColumn("table_name", UTF8Type.instance)
                .addRegularColumn("times", LongType.instance)
                .addRegularColumn("first_at", TimestampType.instance)
                .addRegularColumn("last_at", TimestampType.instance)
                .addRegularColumn("last_message", UTF8Type.instance)
                .build());
        this.refusals = refusals;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        for (Refusals.Entry entry : refusals.recent()) {
            rows.row(entry.cause().name().toLowerCase(Locale.ROOT), entry.operation(), entry.table())
                    .column("times", entry.times())
                    .column("first_at", Date.from(Instant.ofEpochMilli(entry.firstMillis())))
                    .column("last_at", Date.from(Instant.ofEpochMilli(entry.lastMillis())))
                    .column("last_message", entry.text());
        }
        return rows;
    }
}
