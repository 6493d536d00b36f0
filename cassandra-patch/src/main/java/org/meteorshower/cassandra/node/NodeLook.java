/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntSupplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.marshal.AbstractType;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableMetadata;
import org.meteorshower.cassandra.metrics.TableMetrics;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.views.ModesView;
import org.meteorshower.cassandra.views.NodeView;
import org.meteorshower.cassandra.views.WaitingReadsView;
import org.meteorshower.protocol.CoreView;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.runtime.MeteorShower;
import org.meteorshower.runtime.journal.MappedJournal;

/** How this node does, as the protocol and the journal see it. Thread-safe. */
record NodeLook(
        NodeId self,
        long incarnation,
        MeteorShower meteorShower,
        MappedJournal journal,
        EnabledTables enabled,
        IntSupplier forwardedQueued)
        implements NodeView.Look, ModesView.Look, WaitingReadsView.Look {

    @Override
    public NodeView.State state() {
        boolean running = meteorShower.isRunning();
        // The journal is the core's: looked at under the same lock.
        return meteorShower.inspect(view -> new NodeView.State(
                self.value(),
                DatabaseDescriptor.getEndpointSnitch().getLocalDatacenter(),
                running,
                incarnation,
                enabled.all().size(),
                view.recordCount(),
                view.settings().maxRecords(),
                journal.liveMutations(),
                journal.diskBytes(),
                journal.limitBytes(),
                view.waitingReadCount(),
                view.settings().maxWaitingReads(),
                view.openReadCount(),
                view.pendingWriteCount(),
                forwardedQueued.getAsInt(),
                view.clockAheadMicros()));
    }

    @Override
    public List<ModesView.Mode> modes() {
        List<ReadMode> modes = List.of(
                ReadMode.SEQUENTIAL,
                ReadMode.bounded(1),
                ReadMode.METEORSHOWER1,
                ReadMode.METEORSHOWER2,
                ReadMode.STRICT);
        return meteorShower.inspect(view -> modes.stream()
                .map(mode -> new ModesView.Mode(TableMetrics.nameOf(mode), view.whyRefused(mode)))
                .toList());
    }

    @Override
    public List<WaitingReadsView.Read> waiting(int limit) {
        List<CoreView.WaitingRead> waiting = meteorShower.inspect(view -> view.waitingReads(limit));
        Map<UUID, TableMetadata> tables = new HashMap<>();
        enabled.all().keySet().forEach(id -> {
            UUID name = enabled.idOf(id);
            TableMetadata table = Schema.instance.getTableMetadata(id);
            if (name != null && table != null) {
                tables.put(name, table);
            }
        });
        long now = System.nanoTime();
        List<WaitingReadsView.Read> reads = new ArrayList<>();
        for (CoreView.WaitingRead read : waiting) {
            TableMetadata table = tables.get(read.key().table());
            reads.add(new WaitingReadsView.Read(
                    read.readId(),
                    table == null ? "" : table.keyspace,
                    table == null ? "" : table.name,
                    table == null
                            ? ""
                            : keyText(table.partitionKeyType, read.key().bytes()),
                    TableMetrics.nameOf(read.mode()),
                    read.awaited(),
                    (now - read.startedNanos()) / 1_000,
                    Math.max(0, read.deadlineNanos() - now) / 1_000,
                    read.pulled()));
        }
        return reads;
    }

    private static String keyText(AbstractType<?> type, byte[] key) {
        return type.getString(java.nio.ByteBuffer.wrap(key));
    }
}
