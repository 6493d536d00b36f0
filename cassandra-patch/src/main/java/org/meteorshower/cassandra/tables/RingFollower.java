/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.TokenMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.StorageService;
import org.meteorshower.cassandra.placement.PlacedTable;
import org.meteorshower.cassandra.placement.PlacementKeeper;
import org.meteorshower.cassandra.placement.RingPlacement;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.MovePatience;
import org.meteorshower.protocol.MoveSteps;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.MeteorShower;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes enabled tables through a change of the ring (docs/ARCHITECTURE.md, "When nodes come and go"). Called once a
 * second by one thread; repairs run on another ({@link TableRepairs}).
 *
 * <p>One node writes the table's new epoch into the schema. Each node follows it when it sees the new ring itself. Each
 * replica, once all that held partitions with it before or do now have followed, repairs what it holds, and then
 * vouches for it. When all do, the table is served, and the old epoch is forgotten. A table that holds data when it is
 * enabled is taken through the same steps.
 */
public final class RingFollower {
    private static final Logger log = LoggerFactory.getLogger(RingFollower.class);

    private static final int LOOKS_WHERE_NOTHING_WAITS = 4;

    /** A table that is read plainly is not read while Cassandra goes by another ring than the table's. */
    private static final int LOOKS_AT_THE_RING = 2 * LOOKS_WHERE_NOTHING_WAITS;

    private final NodeId self;
    private final EnabledTables enabled;
    private final TableSwitch tableSwitch;
    private final TableWatcher watcher;
    private final PlacementKeeper keeper;
    private final MeteorShower meteorShower;
    private final MoveSteps steps;
    private final Predicate<UUID> isSpoiled;
    private final TableRepairs repairs;
    private final MovePatience<TableId> patience = new MovePatience<>();

    /** Calls of {@link #lookBetween}. */
    private long looks;

    /** Whether writes of a table waited at the last look. */
    private boolean someHeld;

    /** @param isSpoiled whether this node must not serve the epoch of this name any more, see {@code ForeignData} */
    public RingFollower(
            NodeId self,
            EnabledTables enabled,
            TableSwitch tableSwitch,
            TableWatcher watcher,
            PlacementKeeper keeper,
            MeteorShower meteorShower,
            RingPlacement placement,
            Predicate<UUID> isSpoiled,
            boolean liveMoves,
            TableRepairs repairs) {
        this.self = self;
        this.enabled = enabled;
        this.tableSwitch = tableSwitch;
        this.watcher = watcher;
        this.keeper = keeper;
        this.meteorShower = meteorShower;
        this.steps = new MoveSteps(self, placement, PlacementKeeper::isOnRing, liveMoves);
        this.isSpoiled = isSpoiled;
        this.repairs = repairs;
    }

    /** Whether Cassandra goes by the ring that the table's name here is about. Thread-safe. */
    public boolean goesByItsRing(TableId table, UUID name) {
        TableOptions options = enabled.of(table);
        PlacedTable place = options == null ? null : EnabledTables.placeOf(table, options);
        return place != null && place.id().equals(name) && keeper.isRingStill(place);
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
        repairs.look(Set.copyOf(enabled.ids().values()));
        enabled.ids().forEach(this::settle);
    }

    /**
     * What requests wait for, more often than the rest: to begin the next epoch of what cannot be read in this one, to
     * follow what the schema says, and to open what all follow.
     */
    public void lookBetween() {
        if (enabled.none() || !StorageService.instance.isNormal()) {
            return;
        }
        looks++;
        if (!someHeld && !watcher.isAboutToMove() && looks % LOOKS_WHERE_NOTHING_WAITS != 0) {
            return;
        }
        if (looks % LOOKS_AT_THE_RING == 0) {
            enabled.all().forEach(this::moveIfReadsWait);
        }
        if (isBehind()) {
            watcher.sync();
        }
        someHeld = false;
        enabled.ids().forEach((table, id) -> {
            if (meteorShower.inspect(view -> view.isHeld(id))) {
                someHeld = true;
                settle(table, id);
            }
        });
    }

    private boolean isBehind() {
        return enabled.all().entrySet().stream().anyMatch(each -> watcher.isBehind(each.getKey(), each.getValue()));
    }

    private void moveIfDue(TableId id, TableOptions options) {
        TableMetadata table = Schema.instance.getTableMetadata(id);
        String ring = table == null ? null : keeper.ringOf(table, options.rules());
        TableEpoch epoch = options.epoch();
        if (table == null || ring == null || (ring.equals(epoch.ring()) && !isSpoiled.test(epoch.idOf(id)))) {
            patience.forget(id);
        } else if (patience.isOver(id, ring, keeper.areReplicasUp(id), rank())) {
            log.info(
                    "MeteorShower: {}, so a new epoch of {} begins",
                    ring.equals(epoch.ring())
                            ? "data came in from a node that is no replica"
                            : "partitions have moved between nodes",
                    table);
            tableSwitch.move(table, epoch, ring);
        }
    }

    /** Only who is the first to: the next ones go by the usual pace, or several would begin one each. */
    private void moveIfReadsWait(TableId id, TableOptions options) {
        UUID follows = enabled.idOf(id);
        if (follows != null
                && meteorShower.inspect(view -> view.plainReads(follows).areAllowed())
                && keeper.areReplicasUp(id)
                && rank() == 0) {
            moveIfDue(id, options);
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
        TableOptions options = enabled.of(table);
        boolean byNodes = options != null && watcher.isRepairedByNodes(options, id);
        List<UUID> earlier = left.stream().map(PlacedTable::id).toList();
        switch (meteorShower.inspect(view -> steps.next(view, id, byNodes, earlier))) {
            case FOLLOWED -> meteorShower.tell(new Event.TableFollowed(id));
            case OPEN -> meteorShower.tell(new Event.TableOpened(id));
            case REPAIR -> {
                PlacedTable place = options == null ? null : EnabledTables.placeOf(table, options);
                if (place != null && place.id().equals(id)) {
                    repairs.due(place);
                }
            }
            case FORGET -> watcher.forget(left);
            default -> {}
        }
    }
}
