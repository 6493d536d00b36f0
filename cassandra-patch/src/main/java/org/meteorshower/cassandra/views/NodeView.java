/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.views;

import java.util.UUID;
import org.apache.cassandra.db.marshal.BooleanType;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.marshal.UTF8Type;
import org.apache.cassandra.db.marshal.UUIDType;
import org.apache.cassandra.db.virtual.SimpleDataSet;

/** {@code meteorshower.node}: one row, how the plugin does at this node. Thread-safe. */
public final class NodeView extends Show {
    /** How the node does, as of a moment ago. */
    public record State(
            UUID hostId,
            String dataCentre,
            boolean running,
            long incarnation,
            long tablesEnabled,
            long records,
            long maxRecords,
            long journalMutations,
            long journalBytes,
            long journalLimitBytes,
            long waitingReads,
            long maxWaitingReads,
            long openReads,
            long pendingWrites,
            long forwardedQueued,
            long clockAheadMicros) {}

    /** Who knows. */
    public interface Look {
        State state();
    }

    private final Look look;

    public NodeView(Look look) {
        super(define("node", "how the plugin does at this node", "host_id", UUIDType.instance)
                .addRegularColumn("data_centre", UTF8Type.instance)
                .addRegularColumn("running", BooleanType.instance)
                .addRegularColumn("incarnation", LongType.instance)
                .addRegularColumn("tables_enabled", LongType.instance)
                .addRegularColumn("records", LongType.instance)
                .addRegularColumn("max_records", LongType.instance)
                .addRegularColumn("journal_mutations", LongType.instance)
                .addRegularColumn("journal_bytes", LongType.instance)
                .addRegularColumn("journal_limit_bytes", LongType.instance)
                .addRegularColumn("waiting_reads", LongType.instance)
                .addRegularColumn("max_waiting_reads", LongType.instance)
                .addRegularColumn("open_reads", LongType.instance)
                .addRegularColumn("pending_writes", LongType.instance)
                .addRegularColumn("forwarded_reads_queued", LongType.instance)
                .addRegularColumn("clock_ahead_micros", LongType.instance)
                .build());
        this.look = look;
    }

    @Override
    public DataSet data() {
        State state = look.state();
        return new SimpleDataSet(metadata())
                .row(state.hostId)
                .column("data_centre", state.dataCentre)
                .column("running", state.running)
                .column("incarnation", state.incarnation)
                .column("tables_enabled", state.tablesEnabled)
                .column("records", state.records)
                .column("max_records", state.maxRecords)
                .column("journal_mutations", state.journalMutations)
                .column("journal_bytes", state.journalBytes)
                .column("journal_limit_bytes", state.journalLimitBytes)
                .column("waiting_reads", state.waitingReads)
                .column("max_waiting_reads", state.maxWaitingReads)
                .column("open_reads", state.openReads)
                .column("pending_writes", state.pendingWrites)
                .column("forwarded_reads_queued", state.forwardedQueued)
                .column("clock_ahead_micros", state.clockAheadMicros);
    }
}
