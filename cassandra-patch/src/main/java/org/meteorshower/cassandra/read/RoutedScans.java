/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.tracing.Tracing;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.placement.Piece;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.protocol.CoreView;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.MeteorShower;
import org.meteorshower.runtime.RequestRefusedException;

/**
 * Opens clients' scans: here where this node holds all that is asked for, else together with the nearest nodes that
 * hold the rest, all at one cut. Thread-safe.
 */
public final class RoutedScans implements ScanFetch {
    /** So often nodes are asked for a cut at which all can answer at once. Then some wait, as long as they must. */
    private static final int MOST_LOOKS = 12;

    /** After the first look; longer after each other. */
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final NodeId self;
    private final EnabledTables enabled;
    private final MeteorShower meteorShower;
    private final LocalScans here;
    private final ScansElsewhere elsewhere;
    private final LongConsumer observed;
    private final ByteAccount reads;
    private final PartAnswers answers = new PartAnswers();

    /**
     * @param observed hears the cut of each scan that others have a part in
     * @param reads that are under way, with what scans have read
     */
    public RoutedScans(
            NodeId self,
            EnabledTables enabled,
            MeteorShower meteorShower,
            LocalScans here,
            ScansElsewhere elsewhere,
            LongConsumer observed,
            ByteAccount reads) {
        this.self = self;
        this.enabled = enabled;
        this.meteorShower = meteorShower;
        this.here = here;
        this.elsewhere = elsewhere;
        this.observed = observed;
        this.reads = reads;
    }

    @Override
    public OpenScan open(PartitionRangeReadCommand first, ReadTerms terms, long afterMicros)
            throws RequestRefusedException, InterruptedException {
        ReadTerms after = new ReadTerms(
                Math.max(terms.tokenMicros(), believed(afterMicros)), terms.mode(), terms.deadlineNanos());
        AbstractBounds<PartitionPosition> range = first.dataRange().keyRange();
        for (int looked = 1; ; looked++) {
            ScanShares shares = sharesOf(first.metadata(), range);
            OpenScan open = shares.nodes().equals(Set.of(self))
                    ? here.open(first.metadata(), List.of(range), after.tokenMicros(), after.deadlineNanos(), false)
                    : openTogether(first.metadata(), range, shares, after, looked == MOST_LOOKS);
            if (open != null) {
                return open;
            }
            Tracing.trace("MeteorShower: no cut yet at which all nodes of the scan can answer");
            LockSupport.parkNanos(looked * PAUSE_NANOS);
        }
    }

    /** Nobody can make this node's clock run ahead by it. */
    private long believed(long afterMicros) {
        if (afterMicros == 0) {
            return 0;
        }
        long clockMicros = meteorShower.inspect(CoreView::hybridClockMicros);
        return Math.min(afterMicros, Math.max(clockMicros, 1_000 * System.currentTimeMillis()));
    }

    private ScanShares sharesOf(TableMetadata metadata, AbstractBounds<PartitionPosition> range)
            throws RequestRefusedException {
        UUID table = enabled.idOf(metadata.id);
        List<Piece> pieces = table == null ? List.of() : here.pieces(table, range);
        if (table == null || pieces.isEmpty()) {
            throw new RequestRefusedException(
                    Failure.NOT_READY, "this node has not caught up with " + metadata + " yet");
        }
        here.requireNotPlain(metadata, table);
        Set<ReplicaGroup> groups = new LinkedHashSet<>();
        pieces.forEach(piece -> groups.add(piece.group()));
        Set<ReplicaGroup> own = here.servable(table, groups);
        ScanShares.Holders holders = (node, group) -> node.equals(self) ? own.contains(group) : group.contains(node);
        if (own.containsAll(groups)) {
            return ScanShares.over(pieces, List.of(self), holders);
        }
        Set<NodeId> members = new LinkedHashSet<>();
        groups.forEach(group -> members.addAll(group.members()));
        List<NodeId> order = new ArrayList<>();
        order.add(self);
        order.addAll(elsewhere.nearestFirst(members));
        ScanShares shares = ScanShares.over(
                pieces, order, (node, group) -> !answers.isAvoided(node) && holders.canServe(node, group));
        if (shares.uncovered() != null) {
            shares = ScanShares.over(pieces, order, holders);
        }
        return requireWhole(metadata, shares);
    }

    private static ScanShares requireWhole(TableMetadata metadata, ScanShares shares) throws RequestRefusedException {
        Piece uncovered = shares.uncovered();
        if (uncovered != null) {
            throw new RequestRefusedException(
                    Failure.NOT_A_REPLICA,
                    "no live node can read what " + metadata + " has up to token " + uncovered.to()
                            + " of what was asked for; its replicas are "
                            + uncovered.group().members());
        }
        return shares;
    }

    /**
     * Null where there is no cut at which all can answer at once.
     *
     * @param last whether some are to wait then
     */
    private @Nullable OpenScan openTogether(
            TableMetadata metadata,
            AbstractBounds<PartitionPosition> range,
            ScanShares shares,
            ReadTerms terms,
            boolean last)
            throws RequestRefusedException, InterruptedException {
        Map<NodeId, List<AbstractBounds<PartitionPosition>>> ranges = shares.byNode(range);
        List<AbstractBounds<PartitionPosition>> own = ranges.remove(self);
        Map<NodeId, CompletableFuture<ScansElsewhere.Part>> asked = new LinkedHashMap<>();
        ranges.forEach((node, some) ->
                asked.put(node, elsewhere.open(node, metadata, some, terms.tokenMicros(), terms.deadlineNanos())));
        LocalScan local = null;
        boolean isOpen = false;
        try {
            local = own == null ? null : here.open(metadata, own, terms.tokenMicros(), terms.deadlineNanos(), true);
            Map<NodeId, ScansElsewhere.Part> parts = answers.ofAll(asked);
            ReadInfo info = SharedCut.of(self, local, parts, answers, last);
            if (info == null) {
                return null;
            }
            if (local != null) {
                local.raise(info.cutMicros());
            }
            observed.accept(info.cutMicros());
            isOpen = true;
            return new SharedScan(shares, local, parts, info, answers, reads);
        } finally {
            if (!isOpen) {
                close(local, asked.values());
            }
        }
    }

    /** Also those that open only later. */
    private static void close(@Nullable LocalScan local, Collection<CompletableFuture<ScansElsewhere.Part>> elsewhere) {
        for (CompletableFuture<ScansElsewhere.Part> each : elsewhere) {
            var unused = each.thenAccept(ScansElsewhere.Part::close);
        }
        if (local != null) {
            local.close();
        }
    }
}
