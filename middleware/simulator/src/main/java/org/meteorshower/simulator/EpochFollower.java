/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.GroupChange;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.Told;

/**
 * A node's view of a table whose partitions move: the ring and the epoch as the node has heard of them, and the names
 * by which it knows the table. Does what {@code TableWatcher} and {@code PlacementKeeper} do in the plugin, for one
 * table.
 */
final class EpochFollower implements TableView, Placement {
    /** Hears of each life of the node. */
    interface Lives {
        /** What the node takes the ring for as it starts. */
        Ring seenAtStart(Ring seen);

        void begun(SimulatedNode node);
    }

    /** A table that the core does not know. */
    private static final UUID UNKNOWN = new UUID(0, 0);

    private final SimulatedNode node;
    private final SimulationPlan plan;
    private final List<SimulatedNode> nodes;
    private final Epochs epochs;
    private final Oracle oracle;
    private final Promises promises;
    private final ReplicaGroup selfOnly;
    private final Lives lives;

    // What a restart leaves.
    private int change;
    private Ring seen;
    private Epoch declared;
    private @Nullable Epoch spoiled;

    /** Names that it followed in an earlier life and could not place as it started: what it knew under them is gone. */
    private final Set<UUID> forgotten = new HashSet<>();

    /** What its store held of such a name's partitions, until it vouches for that. */
    private final Map<UUID, List<CellUpdate>> unvouched = new HashMap<>();

    /** Where partitions live by the ring as it is seen, but for what moves: each request asks. Null until one does. */
    private @Nullable List<ReplicaGroup> naturalGroups;

    // What it does not.
    private final Map<UUID, List<ReplicaGroup>> placed = new HashMap<>();
    private final Map<UUID, Set<ReplicaGroup>> groupSets = new HashMap<>();
    private final List<Epoch> left = new ArrayList<>();
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private final OtherTable other;
    private @Nullable Epoch followed;
    private Told told = new Told();
    private Set<NodeId> peers = Set.of();
    private boolean switching;
    private boolean hadAnother;
    private int underWay;

    EpochFollower(
            SimulatedNode node,
            SimulationPlan plan,
            List<SimulatedNode> nodes,
            Epochs epochs,
            Oracle oracle,
            Promises promises,
            Ring seen,
            Epoch declared,
            Lives lives) {
        this.node = node;
        this.lives = lives;
        this.plan = plan;
        this.nodes = nodes;
        this.epochs = epochs;
        this.oracle = oracle;
        this.promises = promises;
        this.seen = seen;
        this.declared = declared;
        this.selfOnly = ReplicaGroup.majority(node.id);
        this.other = new OtherTable(plan.faults().special().moves().otherTableLooks());
    }

    // --- news ------------------------------------------------------------------------------------------------------

    void sees(int newer, Ring ring) {
        if (newer >= change) {
            change = newer;
            seen = ring;
            naturalGroups = null;
        }
    }

    /** Of a node that has not started yet: what the schema says that it gets as it joins. */
    void knowsSchema(Epoch epoch) {
        declared = epoch;
    }

    void declares(Epoch epoch) {
        if (epoch.writtenMicros() > declared.writtenMicros()) {
            declared = epoch;
            sync();
        }
    }

    Ring seen() {
        return seen;
    }

    Epoch declared() {
        return declared;
    }

    @Nullable
    Epoch followed() {
        return followed;
    }

    /** Whether this node got data of the epoch's partitions from one that does not hold them in it. */
    boolean isSpoiled(Epoch epoch) {
        return epoch.equals(spoiled);
    }

    /**
     * Data is about to come in. Where a partition that this node serves comes from a node which does not hold it in
     * this epoch, it may hold mutations that no replica of this epoch will ever announce: the epoch is left, and
     * another one must begin.
     */
    @Override
    public void dataComes(Map<PartitionKey, NodeId> from) {
        Epoch epoch = followed;
        if (epoch == null || plan.bug() == Bug.STRANGERS_TRUSTED) {
            return;
        }
        List<ReplicaGroup> groups = epochs.groups(epoch.ring());
        boolean strange = from.entrySet().stream().anyMatch(each -> {
            ReplicaGroup group = groupOf(groups, each.getKey());
            return group.contains(node.id) && !group.contains(each.getValue());
        });
        if (strange) {
            spoiled = epoch;
            leaveIfSpoiled(epoch);
        }
    }

    private void leaveIfSpoiled(Epoch epoch) {
        if (isSpoiled(epoch) && !switching) {
            node.note(() -> "leaves " + epoch + ": a stranger's data comes in");
            node.perform(new Event.TableLeft(epochs.name(epoch)));
        }
    }

    boolean isSwitching() {
        return switching;
    }

    /** The names that this node followed before and still answers to. */
    List<UUID> earlierNames() {
        return left.stream().map(epochs::name).toList();
    }

    // --- following -------------------------------------------------------------------------------------------------

    @Override
    public void recover(Collection<UUID> journaled) {
        Ring taken = lives.seenAtStart(seen);
        seen = taken.members().contains(node.number) == isOnRing() ? taken : seen; // of itself it knows
        naturalGroups = null;
        placed.clear();
        groupSets.clear();
        left.clear();
        waiting.clear();
        followed = null;
        other.recover();
        told = new Told();
        peers = Set.of();
        switching = false;
        underWay = 0;
        if (isInPlace(declared)) {
            placed.put(epochs.name(declared), epochs.groups(declared.ring()));
        }
        groupSets.clear();
    }

    @Override
    public void begin(Collection<UUID> journaled) {
        promises.keepOnly(node.number, placed.keySet());
        for (UUID name : journaled) {
            if (!placed.containsKey(name)) {
                node.perform(new Event.TableDisabled(name));
                forgotten.add(name);
                unvouched.put(name, held(name));
            }
        }
        sync();
        lives.begun(node);
    }

    private List<CellUpdate> held(UUID name) {
        List<CellUpdate> held = new ArrayList<>();
        for (int partition = 0; partition < plan.workload().partitions(); partition++) {
            Map<Integer, Cell> cells = node.store.partition(Session.key(partition));
            if (!cells.isEmpty()) {
                held.add(new CellUpdate(Session.key(partition), cells).named(name));
            }
        }
        return held;
    }

    @Override
    public void vouched(UUID name, long sinceMicros) {
        List<CellUpdate> held = unvouched.remove(name);
        List<ReplicaGroup> groups = placed.get(name);
        if (held != null && groups != null) {
            held.removeIf(each -> !groupOf(groups, each.key()).contains(node.id));
            held.forEach(each -> oracle.vouched(each, sinceMicros));
        }
    }

    private boolean isInPlace(Epoch epoch) {
        return placed.containsKey(epochs.name(epoch)) || isOfRing(epoch);
    }

    /** Whether the ring as this node sees it now is the one that the epoch is about. */
    boolean isOfRing(Epoch epoch) {
        return epoch.ring().digest().equals(seen.digest());
    }

    /** Follows the epoch that the schema declares, once this node sees the ring that it is about. */
    void sync() {
        Epoch had = followed;
        if (other.look(had)) {
            place();
        }
        if (switching || declared.equals(had) || !isInPlace(declared)) {
            return;
        }
        switching = true;
        hadAnother = had != null;
        if (had != null) {
            left.add(had);
        }
        followed = declared;
        place();
        beginIfNoneIsUnderWay();
    }

    private void beginIfNoneIsUnderWay() {
        Epoch epoch = followed;
        if (!switching || underWay > 0 || epoch == null) {
            return;
        }
        switching = false;
        UUID name = epochs.name(epoch);
        node.note(() -> "follows " + epoch);
        boolean kept = plan.bug() == Bug.LEFT_NAME_STILL_READ
                || plan.bug() == Bug.OLD_EPOCH_SERVED
                || plan.bug() == Bug.ONE_NAME_FOR_ALL_EPOCHS;
        Epoch before = hadAnother ? left.get(left.size() - 1) : null;
        if (followsAnother(epoch)) {
            if (epoch.moved() || hadAnother) {
                oracle.bases()
                        .followed(node.number, name, node.store, plan.workload().partitions());
            }
            if (forgotten.contains(name)) {
                unvouched.put(name, held(name)); // with what came while it followed none
            }
            UUID from = before == null || kept || isSpoiled(before) ? null : epochs.name(before);
            node.perform(new Event.TableMoved(name, isLive() ? from : null, isLive() && !forgotten.contains(name)));
        } else {
            node.perform(new Event.TableEnabled(name, node.store.isEmpty()));
        }
        if (before != null && !kept) {
            node.perform(new Event.TableLeft(epochs.name(before)));
        }
        leaveIfSpoiled(epoch);
        if (plan.bug() == Bug.OLD_NAME_FORGOTTEN_AT_ONCE) {
            forgetEarlier();
        }
        while (!waiting.isEmpty() && !switching) {
            waiting.removeFirst().run();
        }
    }

    private boolean isLive() {
        return plan.faults().special().moves().live();
    }

    /**
     * Whether it comes after another one here, or after itself: then what this node holds is repaired by the nodes
     * themselves.
     */
    boolean followsAnother(Epoch epoch) {
        return epoch.moved() || hadAnother || forgotten.contains(epochs.name(epoch));
    }

    /** Nobody serves the table under its earlier names any more. */
    void forgetEarlier() {
        for (UUID name : earlierNames()) {
            if (!name.equals(name())) {
                promises.dropped(node.number, name);
                node.perform(new Event.TableDisabled(name));
            }
        }
        left.clear();
        place();
    }

    private void place() {
        Map<UUID, List<ReplicaGroup>> next = new HashMap<>();
        left.forEach(epoch -> next.put(epochs.name(epoch), epochs.groups(epoch.ring())));
        if (followed != null) {
            next.put(epochs.name(followed), epochs.groups(followed.ring()));
        }
        placed.clear();
        placed.putAll(next);
        groupSets.clear();
        Set<NodeId> before = new TreeSet<>();
        left.forEach(epoch -> before.addAll(peersIn(epoch)));
        Set<NodeId> now = peersIn(followed);
        now.addAll(peersIn(other.followed()));
        Set<NodeId> nextPeers = new TreeSet<>(told.among(now, before, this::mayBeTold));
        if (plan.bug() == Bug.OUSTED_STILL_TOLD_OF_ANOTHER) {
            nextPeers.addAll(now);
        }
        nextPeers.remove(node.id);
        if (!nextPeers.equals(peers) || plan.bug() == Bug.ONE_NAME_FOR_ALL_EPOCHS) {
            peers = nextPeers;
            node.perform(new Event.PeersChanged(nextPeers));
        }
    }

    /** Who is off the ring may not know, and must not be told what lets it go on reading under an earlier name. */
    private boolean mayBeTold(NodeId peer) {
        return plan.bug() == Bug.OUSTED_STILL_TOLD || seen.members().contains(SimulatedNode.numberOf(peer));
    }

    private Set<NodeId> peersIn(@Nullable Epoch epoch) {
        Set<NodeId> peers = new TreeSet<>();
        for (ReplicaGroup group : epoch == null ? List.<ReplicaGroup>of() : epochs.groups(epoch.ring())) {
            if (group.contains(node.id)) {
                peers.addAll(group.members());
            }
        }
        return peers;
    }

    // --- what the core asks ----------------------------------------------------------------------------------------

    @Override
    public Placement placement() {
        return this;
    }

    @Override
    public ReplicaGroup replicasOf(PartitionKey key) {
        List<ReplicaGroup> groups = placed.get(key.table());
        return groups == null ? selfOnly : groupOf(groups, key);
    }

    @Override
    public Set<ReplicaGroup> groupsOf(UUID table) {
        return groupSets.computeIfAbsent(table, t -> new LinkedHashSet<>(placed.getOrDefault(t, List.of())));
    }

    @Override
    public Set<GroupChange> changes(UUID from, UUID to) {
        List<ReplicaGroup> before = placed.getOrDefault(from, List.of());
        List<ReplicaGroup> after = placed.getOrDefault(to, List.of());
        Set<GroupChange> changes = new LinkedHashSet<>();
        for (int i = 0; i < Math.min(before.size(), after.size()); i++) {
            changes.add(new GroupChange(before.get(i), after.get(i)));
        }
        return changes;
    }

    private static ReplicaGroup groupOf(List<ReplicaGroup> groups, PartitionKey key) {
        return groups.get(Session.partitionOf(key) % Ring.GROUPS);
    }

    // --- what requests ask -----------------------------------------------------------------------------------------

    @Override
    public @Nullable UUID name() {
        return followed == null ? null : epochs.name(followed);
    }

    @Override
    public @Nullable PartitionKey readKeyOf(PartitionKey key) {
        boolean stale = plan.bug() == Bug.OLD_EPOCH_SERVED && !left.isEmpty();
        return stale ? new PartitionKey(epochs.name(left.get(0)), key.bytes()) : keyOf(key);
    }

    @Override
    public Collection<UUID> names() {
        return placed.keySet();
    }

    @Override
    public boolean isOnRing() {
        return seen.members().contains(node.number);
    }

    @Override
    public List<SimulatedNode> replicas(PartitionKey key) {
        UUID name = name();
        List<ReplicaGroup> groups = name == null ? null : placed.get(name);
        return groups == null ? List.of() : nodesOf(groupOf(groups, key).members());
    }

    private List<SimulatedNode> nodesOf(Collection<NodeId> ids) {
        return ids.stream().map(id -> nodes.get(SimulatedNode.numberOf(id))).toList();
    }

    @Override
    public List<SimulatedNode> readers(PartitionKey key) {
        return nodesOf(natural(key));
    }

    /** Cassandra reads by the ring as it is. */
    @Override
    public boolean mayReadPlainly() {
        return followed != null && isOfRing(followed);
    }

    @Override
    public List<SimulatedNode> targets(PartitionKey key) {
        List<NodeId> natural = natural(key);
        if (!seen.isMoving()) {
            return nodesOf(natural);
        }
        Set<NodeId> targets = new LinkedHashSet<>(natural);
        targets.addAll(groupOf(epochs.groups(seen.moved()), key).members());
        return nodesOf(targets);
    }

    private List<NodeId> natural(PartitionKey key) {
        List<ReplicaGroup> groups = naturalGroups;
        if (groups == null) {
            groups = epochs.groups(seen.still());
            naturalGroups = groups;
        }
        return groupOf(groups, key).members();
    }

    @Override
    public int required(PartitionKey key) {
        return plan.writeQuorum()
                + (seen.isMoving() ? targets(key).size() - natural(key).size() : 0);
    }

    @Override
    public boolean refuses() {
        // One that has yet to join was a replica in no epoch so far: what it takes will be in the baseline of the next
        // one.
        return followed == null && isOnRing();
    }

    @Override
    public void admit(CellUpdate update, Consumer<CellUpdate> in) {
        if (switching) {
            waiting.addLast(() -> admit(update, in));
        } else if (!refuses()) {
            enter(update, in);
        }
    }

    private void enter(CellUpdate update, Consumer<CellUpdate> in) {
        underWay++;
        in.accept(update.named(Objects.requireNonNullElse(name(), UNKNOWN)));
    }

    @Override
    public void out() {
        underWay--;
        beginIfNoneIsUnderWay();
    }
}
