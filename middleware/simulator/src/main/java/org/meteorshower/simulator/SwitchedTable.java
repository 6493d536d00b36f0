/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Event;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Placement;
import org.meteorshower.protocol.ReplicaGroup;
import org.meteorshower.protocol.SequentialReads;

/**
 * A node's view of a table that is disabled and enabled again. Does what {@code TableWatcher}, {@code EndingTables} and
 * {@code PlacementKeeper} do in the plugin, for one table on a ring that stays as it is.
 */
final class SwitchedTable implements TableView, Placement {
    /** A table that the core does not know. */
    private static final UUID UNKNOWN = new UUID(0, 0);

    private final SimulatedNode node;
    private final SimulationPlan plan;
    private final Placement home;
    private final Set<NodeId> everyone;
    private final Set<ReplicaGroup> groups = new LinkedHashSet<>();
    private final List<SimulatedNode> nodes;
    private final Oracle oracle;
    private final Promises promises;
    private final ReplicaGroup selfOnly;
    private final Consumer<SimulatedNode> begun;

    // What a restart leaves.
    private TableSchema onDisk = TableSchema.FIRST;

    /** Names that this node followed, and of which it does not know yet that nobody serves them any more. */
    private final Set<UUID> marked = new LinkedHashSet<>();

    // What it does not.
    private TableSchema declared = TableSchema.FIRST;
    private @Nullable UUID followed;
    private final List<UUID> left = new ArrayList<>();
    private final Set<UUID> placed = new LinkedHashSet<>();
    private final Set<UUID> ending = new LinkedHashSet<>();
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private Set<NodeId> peers = Set.of();
    private long overSinceMicros;
    private boolean switching;
    private boolean hadAnother;

    /** Whether it was an ordinary table in this life, so that no earlier life can have followed its next name. */
    private boolean wasOrdinary;

    private int underWay;

    SwitchedTable(
            SimulatedNode node,
            SimulationPlan plan,
            Placement home,
            Set<NodeId> everyone,
            List<SimulatedNode> nodes,
            Oracle oracle,
            Promises promises,
            Consumer<SimulatedNode> begun) {
        this.node = node;
        this.plan = plan;
        this.home = home;
        this.everyone = everyone;
        this.nodes = nodes;
        this.oracle = oracle;
        this.promises = promises;
        this.begun = begun;
        this.selfOnly = ReplicaGroup.majority(node.id);
        for (int partition = 0; partition < Ring.GROUPS; partition++) {
            groups.add(home.replicasOf(Session.key(partition)));
        }
    }

    /** The schema as this node has it. Some other thread looks at it a little later. */
    void hears(TableSchema news) {
        if (news.change() > onDisk.change()) {
            onDisk = news;
            node.later(500, this::sync);
        }
    }

    TableSchema declared() {
        return declared;
    }

    @Nullable
    UUID followed() {
        return switching ? null : followed;
    }

    /** The names that this node followed before and still answers to. */
    List<UUID> earlierNames() {
        return left;
    }

    /**
     * Whether what this node holds is repaired by the nodes themselves: also where it comes after another name here.
     */
    boolean isRepairedByNodes() {
        return hadAnother || isFilledByNodes();
    }

    /** Whether this life begins without what the one before had stamped, as one does that follows a life without us. */
    private boolean isForgetful() {
        return isFilledByNodes() && (plan.seed() + node.number + node.starts) % 3 == 0;
    }

    /**
     * Where rows are many, what a write has brought may be read long after. Where they are few, such a node may lack it
     * as well, which is more than can happen to a real one, and is soon overwritten.
     */
    @Override
    public boolean forgetsInTheCommitLog() {
        return plan.sharesRepairs() && isForgetful();
    }

    private boolean isFilledByNodes() {
        return plan.faults().special().switching().live();
    }

    // --- following -------------------------------------------------------------------------------------------------

    @Override
    public void recover(Collection<UUID> journaled) {
        followed = null;
        left.clear();
        placed.clear();
        ending.clear();
        waiting.clear();
        peers = Set.of();
        switching = false;
        hadAnother = false;
        wasOrdinary = false;
        underWay = 0;
        declared = onDisk;
        if (onDisk.enabled()) {
            placed.add(onDisk.name());
        }
    }

    @Override
    public void begin(Collection<UUID> journaled) {
        promises.keepOnly(node.number, placed);
        overSinceMicros = core().view().hybridClockMicros();
        for (UUID name : journaled) {
            if (!placed.contains(name)) {
                node.perform(new Event.TableDisabled(name));
            } else if (isForgetful()) {
                promises.dropped(node.number, name);
                node.perform(new Event.TableDisabled(name));
            }
        }
        if (plan.bug() == Bug.ENDING_FORGOTTEN_IN_RESTART) {
            marked.clear();
        }
        for (UUID name : List.copyOf(marked)) {
            if (!placed.contains(name)) {
                end(name);
            }
        }
        sync();
        begun.accept(node);
    }

    private SequentialReads core() {
        return Objects.requireNonNull(node.core());
    }

    void sync() {
        if (switching) {
            return;
        }
        declared = onDisk;
        if (!declared.enabled()) {
            switching = followed != null;
            endIfNoneIsUnderWay();
        } else if (!declared.name().equals(followed)) {
            follow(declared.name());
        }
    }

    /**
     * What is under way here may have been shown at a cut, and is in the store before any read is Cassandra's own
     * again.
     */
    private void endIfNoneIsUnderWay() {
        if (underWay > 0 && switching) {
            return;
        }
        switching = false;
        endAll();
        wasOrdinary = true;
        runWaiting();
    }

    private void runWaiting() {
        while (!waiting.isEmpty() && !switching) {
            waiting.removeFirst().run();
        }
        if (!declared.equals(onDisk)) {
            sync();
        }
    }

    private void endAll() {
        List<UUID> ended = new ArrayList<>();
        if (plan.bug() != Bug.ONE_ENDING_AT_A_TIME) {
            ended.addAll(left);
            left.clear();
        }
        if (followed != null) {
            ended.add(followed);
            followed = null;
        }
        ended.forEach(this::end);
        place();
    }

    private void end(UUID name) {
        if (plan.bug() == Bug.ONE_ENDING_AT_A_TIME) {
            ending.clear();
        }
        node.note(() -> "gives the table up as " + name.getLeastSignificantBits());
        ending.add(name);
        promises.dropped(node.number, name);
        node.perform(new Event.TableEnded(name, groups, everyone));
    }

    private void follow(UUID name) {
        switching = true;
        hadAnother = followed != null;
        if (followed != null) {
            left.add(followed);
        }
        followed = name;
        marked.add(name);
        place();
        beginIfNoneIsUnderWay();
    }

    private void beginIfNoneIsUnderWay() {
        UUID name = followed;
        if (!switching || underWay > 0 || name == null) {
            return;
        }
        switching = false;
        node.note(() -> "follows the table as " + name.getLeastSignificantBits());
        if (!name.equals(TableSchema.FIRST.name())) {
            oracle.bases()
                    .followed(node.number, name, node.store, plan.workload().partitions());
        }
        if (hadAnother) {
            node.perform(new Event.TableLeft(left.get(left.size() - 1)));
            node.perform(new Event.TableMoved(name, null, false));
        } else if (isFilledByNodes() && (wasOrdinary || !node.store.isEmpty())) {
            node.perform(new Event.TableFilled(name, wasOrdinary || plan.bug() == Bug.LIVE_AGAIN));
            if (node.store.isEmpty()) {
                node.perform(new Event.TableRepaired(name));
            }
        } else {
            node.perform(new Event.TableEnabled(name, node.store.isEmpty()));
        }
        runWaiting();
    }

    /** Nobody serves the table under its earlier names any more. */
    void forgetEarlier() {
        for (UUID name : List.copyOf(left)) {
            promises.dropped(node.number, name);
            node.perform(new Event.TableDisabled(name));
        }
        left.clear();
        place();
    }

    /** Where the table is served, nobody serves it under an earlier name. */
    void served() {
        marked.removeIf(name -> !name.equals(followed));
    }

    private void place() {
        placed.clear();
        placed.addAll(left);
        if (followed != null) {
            placed.add(followed);
        }
        Set<NodeId> next =
                placed.isEmpty() && !plan.faults().special().switching().otherTables() ? Set.of() : everyone;
        if (!next.equals(peers)) {
            peers = next;
            node.perform(new Event.PeersChanged(next));
        }
    }

    // --- what the core asks ----------------------------------------------------------------------------------------

    @Override
    public Placement placement() {
        return this;
    }

    @Override
    public ReplicaGroup replicasOf(PartitionKey key) {
        return placed.contains(key.table()) ? home.replicasOf(key) : selfOnly;
    }

    @Override
    public Set<ReplicaGroup> groupsOf(UUID table) {
        return placed.contains(table) ? groups : Set.of();
    }

    // --- what requests ask -----------------------------------------------------------------------------------------

    @Override
    public boolean isOrdinary() {
        return !declared.enabled();
    }

    @Override
    public boolean isEnding() {
        if (plan.bug() == Bug.DISABLED_WITHOUT_WAIT) {
            return false;
        }
        if (switching && !declared.enabled()) {
            return true;
        }
        SequentialReads core = core();
        Set<UUID> over = new HashSet<>(ending);
        over.removeIf(core.view()::isEnding);
        if (!over.isEmpty()) {
            ending.removeAll(over);
            marked.removeAll(over);
            overSinceMicros = core.view().hybridClockMicros();
            if (plan.bug() != Bug.ORDINARY_ANSWER_WITHOUT_TOKEN) {
                node.sharedTokenMicros = Math.max(node.sharedTokenMicros, overSinceMicros);
            }
        }
        return !ending.isEmpty();
    }

    @Override
    public long overSinceMicros() {
        return plan.bug() == Bug.ORDINARY_ANSWER_WITHOUT_TOKEN ? 0 : overSinceMicros;
    }

    @Override
    public @Nullable UUID name() {
        return followed;
    }

    @Override
    public Collection<UUID> names() {
        return placed;
    }

    @Override
    public boolean isOnRing() {
        return true;
    }

    @Override
    public List<SimulatedNode> replicas(PartitionKey key) {
        return followed == null ? List.of() : targets(key);
    }

    @Override
    public List<SimulatedNode> targets(PartitionKey key) {
        return home.replicasOf(key).members().stream()
                .map(id -> nodes.get(SimulatedNode.numberOf(id)))
                .toList();
    }

    @Override
    public int required(PartitionKey key) {
        return plan.writeQuorum();
    }

    @Override
    public boolean refuses() {
        return false;
    }

    @Override
    public void admit(CellUpdate update, Consumer<CellUpdate> in) {
        if (switching) {
            waiting.addLast(() -> admit(update, in));
        } else {
            underWay++;
            in.accept(update.named(Objects.requireNonNullElse(name(), UNKNOWN)));
        }
    }

    @Override
    public void out() {
        underWay--;
        if (switching && !declared.enabled()) {
            endIfNoneIsUnderWay();
        } else {
            beginIfNoneIsUnderWay();
        }
    }
}
