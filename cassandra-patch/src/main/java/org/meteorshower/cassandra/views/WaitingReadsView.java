/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.List;
import java.util.Locale;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.virtual.SimpleDataSet;
import org.meteorshower.protocol.Awaited;

/**
 * {@code meteorshower.waiting_reads}: the reads that wait at this replica, and for what; at most {@value #MOST_SHOWN}.
 * It shows partition keys, so it is not for everybody's eyes. Thread-safe.
 */
public final class WaitingReadsView extends Show {
    static final int MOST_SHOWN = 1_000;

    /** One read that waits. */
    public record Read(
            long id,
            String keyspace,
            String table,
            String key,
            String mode,
            Awaited awaited,
            long waitedMicros,
            long leftMicros,
            boolean pulled) {}

    /** Who knows. */
    public interface Look {
        List<Read> waiting(int limit);
    }

    private final Look look;

    public WaitingReadsView(Look look) {
        super(define("waiting_reads", "the reads that wait at this replica, and for what", "read_id", LongType.instance)
                .addRegularColumn("keyspace_name", UTF8Type.instance)
                .addRegularColumn("table_name", UTF8Type.instance)
                .addRegularColumn("partition_key", UTF8Type.instance)
                .addRegularColumn("mode", UTF8Type.instance)
                .addRegularColumn("awaited", UTF8Type.instance)
                .addRegularColumn("why", UTF8Type.instance)
                .addRegularColumn("waited_micros", LongType.instance)
                .addRegularColumn("left_micros", LongType.instance)
                .addRegularColumn("pulled", BooleanType.instance)
                .build());
        this.look = look;
    }

    @Override
    public DataSet data() {
        SimpleDataSet rows = new SimpleDataSet(metadata());
        for (Read read : look.waiting(MOST_SHOWN)) {
            rows.row(read.id)
                    .column("keyspace_name", read.keyspace)
                    .column("table_name", read.table)
                    .column("partition_key", read.key)
                    .column("mode", read.mode)
                    .column("awaited", read.awaited.name().toLowerCase(Locale.ROOT))
                    .column("why", read.awaited.text())
                    .column("waited_micros", read.waitedMicros)
                    .column("left_micros", read.leftMicros)
                    .column("pulled", read.pulled);
        }
        return rows;
    }
}
