/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.Set;
import java.util.UUID;
import java.util.function.ToLongFunction;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.TableMetadata;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.protocol.CoreView;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.MeteorShower;
import org.meteorshower.runtime.RequestRefusedException;

/** Opens scans of ranges that this node holds in full, and lacks nothing of. Thread-safe. */
public final class LocalScans implements ScanFetch {
    private final NodeId self;
    private final RingPlacement placement;
    private final EnabledTables enabled;
    private final ToLongFunction<UUID> plainAsOf;
    private final MeteorShower meteorShower;
    private final ByteAccount reads;

    /**
     * @param plainAsOf above 0 where reads of the table are Cassandra's own here and now
     * @param reads that are under way, with what scans have read
     */
    public LocalScans(
            NodeId self,
            RingPlacement placement,
            EnabledTables enabled,
            ToLongFunction<UUID> plainAsOf,
            MeteorShower meteorShower,
            ByteAccount reads) {
        this.self = self;
        this.placement = placement;
        this.enabled = enabled;
        this.plainAsOf = plainAsOf;
        this.meteorShower = meteorShower;
        this.reads = reads;
    }

    @Override
    public OpenScan open(PartitionRangeReadCommand first, ReadTerms terms, long afterMicros)
            throws RequestRefusedException, InterruptedException {
        TableMetadata metadata = first.metadata();
        UUID table = enabled.idOf(metadata.id);
        if (table == null) {
            throw new RequestRefusedException(
                    Failure.NOT_READY, "this node has not caught up with " + metadata + " yet");
        }
        AbstractBounds<PartitionPosition> bounds = first.dataRange().keyRange();
        Token from = bounds.left.getToken();
        boolean after = bounds.left.compareTo(from.maxKeyBound()) >= 0;
        Set<ReplicaGroup> groups = placement.groupsOver(table, from, after, bounds.right.getToken());
        requireWhole(metadata, table, groups);
        return new LocalScan(
                meteorShower.scan(
                        new TokenRange(table, groups, metadata.partitioner, bounds),
                        Math.max(terms.tokenMicros(), believed(afterMicros)),
                        terms.deadlineNanos()),
                table,
                terms.deadlineNanos(),
                reads);
    }

    /** Nobody can make this node's clock run ahead by it. */
    private long believed(long afterMicros) {
        if (afterMicros == 0) {
            return 0;
        }
        long clockMicros = meteorShower.inspect(CoreView::hybridClockMicros);
        return Math.min(afterMicros, Math.max(clockMicros, 1_000 * System.currentTimeMillis()));
    }

    private void requireWhole(TableMetadata metadata, UUID table, Set<ReplicaGroup> groups)
            throws RequestRefusedException {
        if (groups.isEmpty() || !groups.stream().allMatch(group -> group.contains(self))) {
            throw new RequestRefusedException(
                    Failure.NOT_A_REPLICA,
                    "this node does not hold all of " + metadata + " that was asked for, and a scan is served by one"
                            + " node: ask for token ranges that this node holds (token(key) > ? AND token(key) <= ?),"
                            + " or set ranges=cassandra for this table");
        }
        if (plainAsOf.applyAsLong(table) > 0) {
            throw new RequestRefusedException(
                    Failure.NOT_READY,
                    "the replicas of " + metadata + " are being brought together, and scans are not served until"
                            + " they have been (state in meteorshower.tables)");
        }
        if (meteorShower.inspect(view -> groups.stream().anyMatch(group -> view.lacksData(table, group)))) {
            throw new RequestRefusedException(
                    Failure.NOT_READY,
                    "this node was left behind, and is being filled with what it missed: ask another node of the data"
                            + " centre, or retry later");
        }
    }
}
