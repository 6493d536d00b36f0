/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.placement.PlacedTable;
import org.meteorshower.cassandra.placement.PlacementKeeper;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.runtime.MeteorShower;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes enabled tables through a change of the ring (docs/ARCHITECTURE.md, "When nodes come and go"). Called once a second
 * by one thread; repairs run on another.
 *
 * <p>One node writes the table's new epoch into the schema. Each node follows it when it sees the new ring itself. Each
 * replica, once all that held partitions with it before or do now have followed, repairs what it holds, and then vouches
 * for it. When all do, the table is served, and the old epoch is forgotten.
 */
public final class RingFollower {
    private static final Logger log = LoggerFactory.getLogger(RingFollower.class);

    private static final int LOOKS_BEFORE_ANOTHER_REPAIR = 3;

    private final NodeId self;
    private final EnabledTables enabled;
    private final TableSwitch tableSwitch;
    private final TableWatcher watcher;
    private final PlacementKeeper keeper;
    private final MeteorShower meteorShower;
    private final Function<UUID, Set<ReplicaGroup>> groups;
    private final Executor repairs;
    private final AtomicBoolean repairing = new AtomicBoolean();
    private final MovePatience patience = new MovePatience();
    private volatile int looksToRepair;

    public RingFollower(
            NodeId self,
            EnabledTables enabled,
            TableSwitch tableSwitch,
            TableWatcher watcher,
            PlacementKeeper keeper,
            MeteorShower meteorShower,
            Function<UUID, Set<ReplicaGroup>> groups,
            Executor repairs) {
        this.self = self;
        this.enabled = enabled;
        this.tableSwitch = tableSwitch;
        this.watcher = watcher;
        this.keeper = keeper;
        this.meteorShower = meteorShower;
        this.groups = groups;
        this.repairs = repairs;
    }

    /** Does what is due. Changes the schema where partitions have moved, and may wait for that. */
    public void look() {
        if (enabled.none() || !StorageService.instance.isNormal()) {
            return;
        }
        enabled.all().forEach(this::moveIfDue);
        if (!enabled.all().keySet().equals(enabled.ids().keySet()) || isBehind()) {
            watcher.sync();
        }
        looksToRepair = Math.max(0, looksToRepair - 1);
        enabled.ids().forEach(this::settle);
    }

    private boolean isBehind() {
        return enabled.all().entrySet().stream()
                .anyMatch(each -> !each.getValue().epoch().idOf(each.getKey()).equals(enabled.idOf(each.getKey())));
    }

    private void moveIfDue(TableId id, TableOptions options) {
        TableMetadata table = Schema.instance.getTableMetadata(id);
        String ring = table == null ? null : keeper.ringOf(table, options.writeQuorum());
        if (table == null || ring == null || ring.equals(options.epoch().ring())) {
            patience.forget(id);
        } else if (patience.isOver(id, ring, keeper.areReplicasUp(id), rank())) {
            log.info("MeteorShower: partitions of {} have moved between nodes; a new epoch of it begins", table);
            tableSwitch.move(table, ring);
        }
    }

    /** How many live nodes of the ring have smaller ids. */
    private int rank() {
        int rank = 0;
        TokenMetadata ring = StorageService.instance.getTokenMetadata();
        for (InetAddressAndPort member : ring.getAllMembers()) {
            UUID id = ring.getHostId(member);
            if (id != null && FailureDetector.instance.isAlive(member) && new NodeId(id).compareTo(self) < 0) {
                rank++;
            }
        }
        return rank;
    }

    private void settle(TableId table, UUID id) {
        List<PlacedTable> left = watcher.leftOf(table);
        if (!keeper.isReplica(id)) {
            forget(left);
            return;
        }
        boolean baseline = meteorShower.inspect(core -> core.hasBaseline(id));
        TableOptions options = enabled.of(table);
        boolean moved = !left.isEmpty() || (options != null && options.epoch().moved());
        if (!baseline && moved) {
            if (looksToRepair == 0 && allFollow(id, left) && repairing.compareAndSet(false, true)) {
                repairs.execute(() -> repair(table, id));
            }
        } else if (baseline && groups.apply(id).stream().allMatch(group -> isServed(id, group))) {
            forget(left);
        }
    }

    private void forget(List<PlacedTable> left) {
        if (!left.isEmpty()) {
            watcher.forget(left);
        }
    }

    private boolean isServed(UUID id, ReplicaGroup group) {
        return !group.contains(self) || notReady(id, group) == null;
    }

    @SuppressWarnings("NullAway") // the middleware's inspect passes a null through
    private @Nullable String notReady(UUID id, ReplicaGroup group) {
        return meteorShower.inspect(core -> core.notReady(id, group));
    }

    /** Whether all who hold, or held, partitions with this node follow the present epoch, but for those that are gone. */
    private boolean allFollow(UUID id, List<PlacedTable> left) {
        Set<NodeId> awaited = new HashSet<>(keeper.peersOf(id));
        left.forEach(place -> awaited.addAll(keeper.peersOf(place.id())));
        awaited.removeIf(node -> !PlacementKeeper.isOnRing(node));
        return meteorShower.inspect(core -> core.reportedBy(id)).containsAll(awaited);
    }

    private void repair(TableId table, UUID id) {
        try {
            TableMetadata metadata = Schema.instance.getTableMetadata(table);
            if (metadata != null && FullRepair.run(metadata)) {
                log.info("MeteorShower: {} has been repaired here after its partitions moved", metadata);
                meteorShower.baselineConfirmed(id);
            } else {
                log.warn(
                        "MeteorShower: the repair of {} after its partitions moved failed; it is tried again",
                        metadata);
                looksToRepair = LOOKS_BEFORE_ANOTHER_REPAIR;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            log.warn("MeteorShower: a repair failed; it is tried again", e);
            looksToRepair = LOOKS_BEFORE_ANOTHER_REPAIR;
        } finally {
            repairing.set(false);
        }
    }
}
