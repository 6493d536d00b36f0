/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.schema.TableMetadata;
import org.meteorshower.cassandra.placement.Piece;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.MeteorShower;
import org.meteorshower.runtime.RequestRefusedException;

/** Opens scans of ranges that this node holds, and lacks nothing of. Thread-safe. */
public final class LocalScans {
    private final NodeId self;
    private final RingPlacement placement;
    private final EnabledTables enabled;
    private final Predicate<UUID> isReadPlainly;
    private final MeteorShower meteorShower;
    private final ByteAccount reads;

    /**
     * @param isReadPlainly whether reads of the table are Cassandra's own here and now
     * @param reads that are under way, with what scans have read
     */
    public LocalScans(
            NodeId self,
            RingPlacement placement,
            EnabledTables enabled,
            Predicate<UUID> isReadPlainly,
            MeteorShower meteorShower,
            ByteAccount reads) {
        this.self = self;
        this.placement = placement;
        this.enabled = enabled;
        this.isReadPlainly = isReadPlainly;
        this.meteorShower = meteorShower;
        this.reads = reads;
    }

    /**
     * Blocks until there is a cut, at most until the deadline. The scan is to be closed.
     *
     * @param ranges in the order of their tokens, none over another; no later command goes beyond them
     * @param deadlineNanos on the elapsed clock
     * @param shared whether other nodes read other parts; then it is to be {@linkplain LocalScan#raise raised} to the
     *     common cut
     */
    public LocalScan open(
            TableMetadata metadata,
            List<AbstractBounds<PartitionPosition>> ranges,
            long tokenMicros,
            long deadlineNanos,
            boolean shared)
            throws RequestRefusedException, InterruptedException {
        UUID table = enabled.idOf(metadata.id);
        if (table == null) {
            throw new RequestRefusedException(
                    Failure.NOT_READY, "this node has not caught up with " + metadata + " yet");
        }
        Set<ReplicaGroup> groups = new LinkedHashSet<>();
        for (AbstractBounds<PartitionPosition> range : ranges) {
            pieces(table, range).forEach(piece -> groups.add(piece.group()));
        }
        requireWhole(metadata, table, groups);
        TokenRange range = new TokenRange(table, groups, metadata.partitioner, ranges);
        return new LocalScan(meteorShower.scan(range, tokenMicros, deadlineNanos, shared), range, deadlineNanos, reads);
    }

    /** Who holds the range, in the order of the tokens; empty if the table is not enabled. */
    List<Piece> pieces(UUID table, AbstractBounds<PartitionPosition> range) {
        Token from = range.left.getToken();
        boolean after = range.left.compareTo(from.maxKeyBound()) >= 0;
        return placement.piecesOver(table, from, after, range.right.getToken());
    }

    /** Those of the groups whose partitions of the table this node can serve. */
    Set<ReplicaGroup> servable(UUID table, Collection<ReplicaGroup> groups) {
        Set<ReplicaGroup> servable = new HashSet<>();
        for (ReplicaGroup group : groups) {
            if (group.contains(self)) {
                servable.add(group);
            }
        }
        return servable.isEmpty()
                ? servable
                : meteorShower.inspect(view -> {
                    servable.removeIf(group -> view.lacksData(table, group));
                    return servable;
                });
    }

    /** @throws RequestRefusedException if reads of the table are Cassandra's own here and now */
    void requireNotPlain(TableMetadata metadata, UUID table) throws RequestRefusedException {
        if (isReadPlainly.test(table)) {
            throw new RequestRefusedException(
                    Failure.NOT_READY,
                    "the replicas of " + metadata + " are being brought together, and scans are not served until"
                            + " they have been (state in meteorshower.tables)");
        }
    }

    private void requireWhole(TableMetadata metadata, UUID table, Set<ReplicaGroup> groups)
            throws RequestRefusedException {
        if (groups.isEmpty() || !groups.stream().allMatch(group -> group.contains(self))) {
            throw new RequestRefusedException(
                    Failure.NOT_A_REPLICA,
                    "node " + self + " does not hold all of " + metadata + " that it was asked for, by the ring as it"
                            + " sees it");
        }
        requireNotPlain(metadata, table);
        if (meteorShower.inspect(view -> groups.stream().anyMatch(group -> view.lacksData(table, group)))) {
            throw new RequestRefusedException(
                    Failure.NOT_READY,
                    "this node was left behind, and is being filled with what it missed: ask another node of the data"
                            + " centre, or retry later");
        }
    }
}
