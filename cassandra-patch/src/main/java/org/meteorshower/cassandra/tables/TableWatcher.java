/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.cassandra.db.ColumnFamilyStore;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.placement.PlacedTable;
import org.meteorshower.cassandra.placement.PlacementKeeper;
import org.meteorshower.cassandra.placement.WriteQuorum;
import org.meteorshower.cassandra.store.LocalStore;
import org.meteorshower.cassandra.store.TrackedTables;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.runtime.MeteorShower;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the schema: begins and ends the tracking of tables at this node as they are enabled and disabled anywhere in
 * the cluster. Schema changes ({@link SchemaNews}) only ask for a look; the looking is done on one thread of its own,
 * since it may wait.
 */
public final class TableWatcher {
    private static final Logger log = LoggerFactory.getLogger(TableWatcher.class);

    /** Less than requests may take; what goes on for longer is seen when it is answered. */
    private static final long ORDINARY_FOR_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private final EnabledTables enabled;
    private final TrackedTables tracked;
    private final MeteorShower meteorShower;
    private final PlacementKeeper keeper;
    private final Predicate<UUID> isForgotten;
    private final boolean automaticBaseline;
    private final boolean liveMoves;
    private final LiveTables live;
    private final EndingTables endings;
    private final FollowedTables marks;
    private final RequestsUnderWay requests;
    private final ExecutorService thread;
    private final HeadStart headStart = HeadStart.ofThisNode();

    /** Earlier names of tables whose partitions have moved, kept until the present one is served. Guarded by this. */
    private final List<PlacedTable> left = new ArrayList<>();

    private Map<TableId, TableOptions> followed = Map.of();

    /** What this node has not followed since it saw, in this life, that it was not enabled. */
    private final Set<TableId> ordinary = ConcurrentHashMap.newKeySet();

    /**
     * @param isForgotten whether this node followed the epoch of this name before, and had to forget what it had
     *     stamped in it
     * @param automaticBaseline whether what this node holds of a table when it is enabled is repaired by the nodes
     * @param liveMoves whether a table whose partitions have moved is used again once all its replicas know that
     * @param marks what a restart must not forget of the tables that are followed
     * @param requests that no table was seen to be enabled for
     */
    public TableWatcher(
            EnabledTables enabled,
            TrackedTables tracked,
            MeteorShower meteorShower,
            PlacementKeeper keeper,
            Predicate<UUID> isForgotten,
            boolean automaticBaseline,
            boolean liveMoves,
            LiveTables live,
            EndingTables endings,
            FollowedTables marks,
            RequestsUnderWay requests,
            ExecutorService thread) {
        this.enabled = enabled;
        this.tracked = tracked;
        this.meteorShower = meteorShower;
        this.keeper = keeper;
        this.isForgotten = isForgotten;
        this.automaticBaseline = automaticBaseline;
        this.liveMoves = liveMoves;
        this.live = live;
        this.endings = endings;
        this.marks = marks;
        this.requests = requests;
        this.thread = thread;
    }

    /** From now on it looks where the schema changes. */
    public void listen() {
        Schema.instance.registerListener(new SchemaNews(this));
    }

    /** Brings this node in step with the schema. Waits for mutations of newly enabled tables that are under way. */
    public synchronized void sync() {
        Map<TableId, TableOptions> declared = EnabledTables.declared();
        declareObstructed();
        Map<TableId, TableOptions> before = followed;
        Map<TableId, TableOptions> now = new HashMap<>();
        Map<TableId, TableOptions> begun = new HashMap<>();
        declared.forEach((id, options) -> look(id, options, before.get(id), now, begun));
        endAll(before, now.keySet());
        Map<TableId, TrackedTables.Tracking> trackings = new HashMap<>();
        try {
            awaitOrdinary(begun.keySet(), before.keySet());
            begun.forEach((id, options) ->
                    trackings.put(id, tracked.begin(id, options.epoch().idOf(id))));
            before.forEach((id, options) -> {
                if (begun.containsKey(id)) {
                    left.add(EnabledTables.placeOf(id, options));
                }
            });
            enabled.beginning(begun.keySet());
            follow(now, declared);
            enabled.aboutToBegin(Set.of());
            trackings.values().forEach(TrackedTables.Tracking::awaitEarlier);
            begun.forEach((id, options) -> begin(id, options, before.get(id)));
        } finally {
            enabled.aboutToBegin(Set.of());
            enabled.beginning(Set.of());
            trackings.values().forEach(TrackedTables.Tracking::goLive);
        }
        headStart.keepOnly(id -> declared.containsKey(id) && !declared.get(id).equals(now.get(id)));
        noteOrdinary(declared.keySet());
        ordinary.removeAll(now.keySet());
    }

    /**
     * Waits for requests that found a table to be an ordinary one, where it was one until now: nobody knows of a write
     * that is answered after that. Others wait meanwhile.
     */
    private void awaitOrdinary(Set<TableId> begun, Set<TableId> before) {
        Set<TableId> ordinaryUntilNow = new HashSet<>(begun);
        ordinaryUntilNow.removeAll(before);
        if (ordinaryUntilNow.isEmpty()) {
            return;
        }
        enabled.aboutToBegin(ordinaryUntilNow);
        requests.awaitThoseOf(ordinaryUntilNow, ORDINARY_FOR_NANOS);
    }

    private void look(
            TableId id,
            TableOptions options,
            @Nullable TableOptions had,
            Map<TableId, TableOptions> now,
            Map<TableId, TableOptions> begun) {
        if (had != null && had.epoch().equals(options.epoch())) {
            now.put(id, options);
        } else if ((had == null || isTime(id, had.epoch().idOf(id), options))
                && keeper.isInPlace(EnabledTables.placeOf(id, options))) {
            now.put(id, options);
            begun.put(id, options);
        } else if (had != null) {
            now.put(id, had); // until it is time, and this node sees the ring that the new epoch is about
        }
    }

    /** Whether this node follows another epoch of the table than the schema's, and it is time for that one. */
    boolean isBehind(TableId table, TableOptions options) {
        UUID follows = enabled.idOf(table);
        return !options.epoch().idOf(table).equals(follows) && (follows == null || isTime(table, follows, options));
    }

    /**
     * Whether to go over to the table's next epoch now. Where the present one loses a replica that its reads or writes
     * need, or its reads are Cassandra's own by a ring that is no more, there is nothing to be won by waiting.
     */
    private boolean isTime(TableId table, UUID follows, TableOptions next) {
        return headStart.isOver(table, next.epoch())
                || next.writeQuorum() != WriteQuorum.MAJORITY
                || (keeper.isReplica(follows)
                        && meteorShower.inspect(view -> view.plainReads(follows).areAllowed()));
    }

    /** Whether this node may soon go over to another epoch of a table. */
    boolean isAboutToMove() {
        return headStart.isAnyNew();
    }

    private void noteOrdinary(Set<TableId> declared) {
        Set<TableId> tables = new HashSet<>();
        for (KeyspaceMetadata keyspace : Schema.instance.distributedKeyspaces()) {
            keyspace.tables.forEach(table -> tables.add(table.id));
        }
        ordinary.retainAll(tables);
        requests.tidy();
        tables.removeAll(declared);
        ordinary.addAll(tables);
    }

    /** Requests that come meanwhile find a table either as it was before, or with its name and its place. */
    private void follow(Map<TableId, TableOptions> tables, Map<TableId, TableOptions> declared) {
        followed = tables;
        Map<TableId, UUID> ids = new HashMap<>();
        tables.forEach((id, options) -> ids.put(id, options.epoch().idOf(id)));
        place();
        Map<TableId, UUID> both = new HashMap<>(enabled.ids());
        both.putAll(ids);
        enabled.follow(both);
        enabled.replace(declared);
        enabled.follow(ids);
    }

    private void place() {
        List<PlacedTable> placed = new ArrayList<>();
        followed.forEach((id, options) -> placed.add(EnabledTables.placeOf(id, options)));
        keeper.place(placed, List.copyOf(left));
    }

    private void begin(TableId table, TableOptions options, @Nullable TableOptions before) {
        ColumnFamilyStore store = Schema.instance.getColumnFamilyStoreInstance(table);
        if (store == null) {
            return;
        }
        UUID id = options.epoch().idOf(table);
        // What was an ordinary table in this life of the node, no earlier life can have followed by its next name.
        boolean isNew = ordinary.contains(table) && !marks.all().containsKey(id);
        marks.add(id, new FollowedTables.Followed(table, keeper.groupsOf(id)));
        if (beginsAnew(options, id) || before != null) {
            beginMoved(store, id, options, before);
        } else {
            beginEnabled(store, id, isNew && options.writeQuorum().isSeenAtQuorum());
        }
    }

    private void beginMoved(ColumnFamilyStore store, UUID id, TableOptions options, @Nullable TableOptions before) {
        boolean plain = liveMoves && options.writeQuorum().isSeenAtQuorum();
        UUID from = plain && before != null ? before.epoch().idOf(store.metadata().id) : null;
        meteorShower.tell(new Event.TableMoved(id, from, plain && !isForgotten.test(id)));
        live.add(id);
        if (before != null) {
            meteorShower.tableLeft(before.epoch().idOf(store.metadata().id));
            SavedPeers.flush();
        }
        log.info(
                "MeteorShower: partitions of {}.{} have moved between nodes; its reads and writes wait until all of its"
                        + " replicas know{}",
                store.getKeyspaceName(),
                store.name,
                plain ? "" : ", and have been repaired");
    }

    /** @param plain whether reads may be Cassandra's own until all replicas hold the same */
    private void beginEnabled(ColumnFamilyStore store, UUID id, boolean plain) {
        boolean empty = LocalStore.isEmpty(store);
        if (!automaticBaseline || (empty && !plain)) {
            meteorShower.tableEnabled(id, empty);
        } else {
            meteorShower.tableFilled(id, plain);
            live.add(id);
        }
        if (automaticBaseline && empty && plain) {
            // Others may hold its first writes. Then reads here do not wait for their repairs.
            meteorShower.tell(new Event.TableRepaired(id));
        }
        log.info(
                "MeteorShower: {}.{} is enabled on this node, which holds {} of it",
                store.getKeyspaceName(),
                store.name,
                empty ? "nothing" : "data");
    }

    /**
     * In this order: requests wait before anybody can take the table for an ordinary one, and the peers count on this
     * node no more before a mutation is applied that they are not told of. Who holds its partitions is asked before
     * that is forgotten. Others may serve the table also under an earlier name that this node has left.
     */
    /** Others may have shown what is under way here: it is in the store when they hear that a table is given up. */
    private void endAll(Map<TableId, TableOptions> before, Set<TableId> kept) {
        Map<TableId, TableOptions> ended = new HashMap<>(before);
        ended.keySet().removeAll(kept);
        List<TrackedTables.Tracking> last = new ArrayList<>();
        ended.forEach((table, options) ->
                last.add(tracked.begin(table, options.epoch().idOf(table))));
        last.forEach(TrackedTables.Tracking::awaitEarlier);
        ended.forEach(this::end);
    }

    private void end(TableId table, TableOptions options) {
        List<UUID> names = new ArrayList<>();
        leftOf(table).forEach(place -> names.add(place.id()));
        left.removeIf(place -> place.table().equals(table));
        names.add(options.epoch().idOf(table));
        names.forEach(name -> endings.begin(table, name));
        names.forEach(name -> end(name, keeper.groupsOf(name)));
        tracked.end(table);
        log.info(
                "MeteorShower: table {} is no longer enabled; it is an ordinary one as soon as a majority of its replicas have"
                        + " followed",
                table);
    }

    private void end(UUID name, Set<ReplicaGroup> groups) {
        meteorShower.tableEnded(name, groups, PlacementKeeper.everybody());
    }

    /**
     * Goes on with what an earlier life of this node had begun, or had not come to: of tables that were disabled since,
     * others may not know yet. To be called when the node starts, before it has clients.
     */
    public synchronized void endDisabled() {
        Set<UUID> known = names();
        marks.all().forEach((name, mark) -> {
            if (!known.contains(name)) {
                endings.begin(mark.table(), name);
                end(name, mark.groups());
            }
        });
    }

    /** Forgets the marks of names under which no node can serve a table any more. */
    public synchronized void tidy() {
        Set<UUID> kept = names();
        kept.addAll(endings.names());
        marks.keepOnly(kept);
    }

    private Set<UUID> names() {
        Set<UUID> names = new HashSet<>();
        followed.forEach((id, options) -> names.add(options.epoch().idOf(id)));
        left.forEach(place -> names.add(place.id()));
        names.addAll(enabled.declaredIds()); // also where this node does not see the ring that the epoch is about
        return names;
    }

    /** Whether what this node holds of the table in this epoch is repaired by the nodes themselves. */
    boolean isRepairedByNodes(TableOptions options, UUID id) {
        return automaticBaseline || beginsAnew(options, id);
    }

    private boolean beginsAnew(TableOptions options, UUID id) {
        return options.epoch().moved() || isForgotten.test(id);
    }

    /** The earlier names of a table that this node still answers to. */
    synchronized List<PlacedTable> leftOf(TableId table) {
        return left.stream().filter(place -> place.table().equals(table)).toList();
    }

    /** Nobody serves the table under its earlier names any more. */
    synchronized void forget(List<PlacedTable> places) {
        places.forEach(place -> meteorShower.tableDisabled(place.id()));
        left.removeAll(places);
        place();
    }

    /** What got past {@link SchemaGuard}: by a node without the plugin, or at the same time as the enabling. */
    private void declareObstructed() {
        Map<TableId, String> before = enabled.obstacles();
        Map<TableId, String> now = SchemaGuard.obstacles(Schema.instance.distributedKeyspaces());
        enabled.obstructed(now);
        now.forEach((id, obstacle) -> {
            if (!obstacle.equals(before.get(id))) {
                log.error(
                        "MeteorShower: table {} is enabled and cannot be served any more: it {}. Its reads and writes are"
                                + " refused until that is undone, or the table is disabled.",
                        Schema.instance.getTableMetadata(id),
                        obstacle);
            }
        });
    }

    /** Looks soon, on the thread for that. */
    public void look() {
        try {
            thread.execute(() -> {
                try {
                    sync();
                } catch (RuntimeException e) {
                    log.error("MeteorShower: could not follow a change of the schema", e);
                }
            });
        } catch (RejectedExecutionException e) {
            log.debug("The node is going down; schema changes no longer matter", e);
        }
    }

    /** What is an ordinary table this node has not followed under the name that it gets next. */
    void seenOrdinary(TableId table) {
        ordinary.add(table);
    }
}
