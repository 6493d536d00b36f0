/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.tracing.Tracing;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.ByteAccount;
import org.meteorshower.runtime.RequestRefusedException;

/**
 * A scan that several nodes read together, all at one cut. The first share is read alone; then as many at once as are
 * likely to be needed, by the rows that there were so far. Used by one thread.
 */
final class SharedScan implements OpenScan {
    private final ScanShares shares;

    /** What this node reads of it; null where it reads nothing. */
    private final @Nullable LocalScan here;

    private final Map<NodeId, ScansElsewhere.Part> elsewhere;
    private final ReadInfo info;
    private final PartAnswers answers;
    private final GatheredRows held;

    /**
     * @param here already raised to the cut
     * @param info with the cut of all
     */
    SharedScan(
            ScanShares shares,
            @Nullable LocalScan here,
            Map<NodeId, ScansElsewhere.Part> elsewhere,
            ReadInfo info,
            PartAnswers answers,
            ByteAccount reads) {
        this.shares = shares;
        this.here = here;
        this.elsewhere = elsewhere;
        this.info = info;
        this.answers = answers;
        this.held = new GatheredRows(reads);
    }

    @Override
    public ReadInfo info() {
        return info;
    }

    @Override
    public boolean elsewhere() {
        return !elsewhere.isEmpty();
    }

    @Override
    public List<ImmutableBTreePartition> rowsFor(PartitionRangeReadCommand page)
            throws RequestRefusedException, InterruptedException {
        held.giveBack();
        List<ScanShares.Share> all = shares.of(page.dataRange().keyRange());
        int wanted = page.limits().count();
        int enough = Math.min(wanted, LocalScan.MOST_ROWS + 1);
        List<ImmutableBTreePartition> partitions = new ArrayList<>();
        int rows = 0;
        int read = 0;
        int next = 1;
        while (read < all.size() && rows < enough) {
            List<ScanShares.Share> some = all.subList(read, Math.min(all.size(), read + next));
            List<ImmutableBTreePartition> found = read(page, some, enough - rows);
            rows += GatheredRows.rowsOf(found);
            partitions.addAll(found);
            read += some.size();
            next = rows == 0 ? all.size() : (int) Math.min(all.size(), 1 + (long) (enough - rows) * read / rows);
        }
        Tracing.trace("MeteorShower: {} of {} parts of the scan read, by several nodes at one cut", read, all.size());
        if (rows > LocalScan.MOST_ROWS && rows < wanted) {
            throw LocalScan.tooManyRows();
        }
        return partitions;
    }

    /**
     * In the order of the tokens. Where a node has stopped at the limit, what it lacks comes after as many rows as are
     * asked for.
     */
    private List<ImmutableBTreePartition> read(PartitionRangeReadCommand page, List<ScanShares.Share> some, int limit)
            throws RequestRefusedException, InterruptedException {
        Map<NodeId, List<AbstractBounds<PartitionPosition>>> byNode = ScanShares.byNode(some);
        Map<NodeId, CompletableFuture<List<ImmutableBTreePartition>>> asked = new LinkedHashMap<>();
        byNode.forEach((node, ranges) -> {
            ScansElsewhere.Part part = elsewhere.get(node);
            if (part != null) {
                asked.put(node, part.rowsFor(info.cutMicros(), page, ranges, limit, held));
            }
        });
        List<ImmutableBTreePartition> found = new ArrayList<>();
        byNode.keySet().removeAll(elsewhere.keySet());
        for (List<AbstractBounds<PartitionPosition>> own : byNode.values()) {
            readHere(page, own, limit).forEach(found::addAll);
        }
        answers.ofAll(asked).values().forEach(found::addAll);
        found.sort(Comparator.comparing(ImmutableBTreePartition::partitionKey));
        return found;
    }

    private List<List<ImmutableBTreePartition>> readHere(
            PartitionRangeReadCommand page, List<AbstractBounds<PartitionPosition>> own, int limit)
            throws RequestRefusedException, InterruptedException {
        LocalScan local = Objects.requireNonNull(here);
        return local.rowsForEach(
                own.stream()
                        .map(bounds -> LocalScan.within(page, bounds, limit))
                        .toList(),
                held);
    }

    @Override
    public void close() {
        held.end();
        if (here != null) {
            here.close();
        }
        elsewhere.values().forEach(ScansElsewhere.Part::close);
    }
}
