/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.apache.cassandra.schema.TableId;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.placement.PlacementKeeper;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.cassandra.tables.LeaseHolders;
import org.meteorshower.protocol.CoreView;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.runtime.MeteorShower;

/**
 * What this node is a replica of and does not answer, since it lacks what others have, hears too few of them, has left
 * the ring, or is not to hold a lease: their reads are for others. What it lacks is as of the last look, so that asking
 * takes no lock; a read that goes the wrong way meanwhile waits, and is never wrong. Thread-safe.
 */
public final class Lacking implements OthersFirst {
    private record Part(UUID table, ReplicaGroup group) {}

    /** So many mutations may be late now and then. */
    private static final int FEW = 8;

    private final NodeId self;
    private final EnabledTables enabled;
    private final RingPlacement placement;
    private final MeteorShower meteorShower;
    private final LeaseHolders holders;
    /** When it was first seen to hear enough others, since it last did not. */
    private volatile @Nullable Long heardEnoughNanos;

    private volatile Set<Part> parts = Set.of();
    private volatile Set<NodeId> leftBehindBy = Set.of();

    public Lacking(
            NodeId self,
            EnabledTables enabled,
            RingPlacement placement,
            MeteorShower meteorShower,
            LeaseHolders holders) {
        this.self = self;
        this.enabled = enabled;
        this.placement = placement;
        this.meteorShower = meteorShower;
        this.holders = holders;
    }

    /** To be called every second or so. */
    public void look() {
        leftBehindBy = Set.copyOf(meteorShower.inspect(CoreView::leftBehindBy));
        if (meteorShower.inspect(CoreView::lacksNothing)) {
            parts = Set.of();
            return;
        }
        Set<Part> held = held();
        parts = meteorShower.inspect(view -> {
            held.removeIf(part -> !view.lacksData(part.table, part.group));
            return Set.copyOf(held);
        });
    }

    private Set<Part> held() {
        Set<Part> held = new HashSet<>();
        for (TableId id : enabled.all().keySet()) {
            UUID table = enabled.idOf(id);
            if (table != null) {
                placement.groupsOf(table).stream()
                        .filter(group -> group.contains(self))
                        .forEach(group -> held.add(new Part(table, group)));
            }
        }
        return held;
    }

    /**
     * Whether this node hears too few others to show anything new of something that it holds, or has yet to get what
     * they told of by the time it heard enough: as a node does that has just started. Looks at all mutations in flight.
     */
    public boolean isCatchingUp() {
        Set<Part> held = held();
        boolean hearsTooFew =
                meteorShower.inspect(view -> held.stream().anyMatch(part -> view.hearsTooFew(part.group)));
        if (hearsTooFew || heardEnoughNanos == null) {
            heardEnoughNanos = System.nanoTime(); // or heard it before anybody asked
        }
        return hearsTooFew || lacking(FEW + 1) > FEW;
    }

    /**
     * How many mutations in flight this node has yet to get, of those that it was told of then. Looks at all of them.
     */
    public int lackingCount() {
        return lacking(Integer.MAX_VALUE);
    }

    private int lacking(int limit) {
        Long since = heardEnoughNanos;
        long heardForNanos = since == null ? 0 : System.nanoTime() - since;
        return meteorShower.inspect(view -> view.lacking(limit, heardForNanos));
    }

    /** Whether the read is for others. Cheap: no lock, no look at the core. */
    public boolean lacks(LocatedRead read) {
        return lacks(read.key().table(), read.group());
    }

    private boolean lacks(UUID table, ReplicaGroup group) {
        Set<Part> now = parts;
        return !now.isEmpty() && now.contains(new Part(table, group));
    }

    /**
     * Whether this node is about to be filled with what others have of those partitions: also where those that have not
     * left it behind are enough for its reads.
     */
    public boolean isToBeFilled(UUID table, ReplicaGroup group) {
        Set<NodeId> others = leftBehindBy;
        return lacks(table, group)
                || (!others.isEmpty() && group.members().stream().anyMatch(others::contains));
    }

    /** Who has left the ring is told nothing any more, and may still be asked. */
    @Override
    public boolean atOnce(LocatedRead read, ReadMode mode) {
        return lacks(read)
                || !PlacementKeeper.isOnRing()
                || (read.isByLease(mode) && !holders.isOne(read.key().table(), self) && anotherHolds(read));
    }

    private boolean anotherHolds(LocatedRead read) {
        return !holders.among(read.key().table(), read.group().members()).isEmpty();
    }

    @Override
    public boolean afterAWait(LocatedRead read, ReadMode mode) {
        boolean byLease = read.isByLease(mode);
        return meteorShower.inspect(view -> view.hearsTooFew(read.group())
                || (byLease && !view.holdsLease(read.key().table(), read.group())));
    }
}
