/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import org.apache.cassandra.concurrent.NamedThreadFactory;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.jspecify.annotations.Nullable;
import org.meteorshower.cassandra.config.TransactionsConfig;
import org.meteorshower.cassandra.memory.MemoryBudget;
import org.meteorshower.cassandra.memory.MemoryUser;
import org.meteorshower.cassandra.metrics.TransactionMetrics;
import org.meteorshower.cassandra.schedule.Repeatedly;
import org.meteorshower.cassandra.transactions.LaneGroup;
import org.meteorshower.cassandra.transactions.TransactionGroups;
import org.meteorshower.cassandra.transactions.TransactionRunner;
import org.meteorshower.cassandra.transactions.TransactionTables;
import org.meteorshower.cassandra.views.TransactionsView;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.Clock;
import org.meteorshower.runtime.Fatal;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.runtime.Status;
import org.meteorshower.transport.NettyTransport;

/**
 * This node's part in transactions: the groups of lanes that there are, each on its own. That of all data centres is
 * always there; another from when the schema first says that a table is of it. They divide the heap's room evenly.
 * Thread-safe; what blocks runs on a thread of its own.
 */
public final class TransactionsNode implements TransactionGroups, AutoCloseable {
    private static final long LOOK_MILLIS = 300;

    private final TransactionsConfig config;
    private final String ownDataCentre;
    private final NodeId self;
    private final NettyTransport transport;
    private final MemoryBudget memory;
    private final GroupNode.Shared shared;

    /** By number. Never more than there can be, and none goes. */
    private final Map<Integer, GroupNode> groups = new ConcurrentSkipListMap<>();

    private volatile boolean started;

    /** Into how many parts the room is divided that groups have on this node. */
    private volatile int parts = 1;

    /** The same, with those of which this node only asks others: what clients ask of these is held here, too. */
    private volatile int asked = 1;

    private final ScheduledExecutorService looks =
            Executors.newSingleThreadScheduledExecutor(new NamedThreadFactory("MeteorShower-LaneGroups"));

    /** @throws IllegalStateException if this node's data centre is not among those that take part */
    public TransactionsNode(
            TransactionsConfig config,
            NodeId self,
            NettyTransport transport,
            Clock clock,
            TransactionMetrics measured,
            MemoryBudget memory) {
        this.config = config;
        this.self = self;
        this.transport = transport;
        this.memory = memory;
        ownDataCentre = DatabaseDescriptor.getEndpointSnitch().getLocalDatacenter();
        if (!config.dataCentres().contains(ownDataCentre)) {
            throw new IllegalStateException("option 'transactions.data_centres' is " + config.dataCentres()
                    + " and does not name this node's data centre, '" + ownDataCentre
                    + "': add it at all nodes, or leave the group 'transactions' out at the nodes of this data centre");
        }
        shared = new GroupNode.Shared(
                () -> {
                    look();
                    return configured();
                },
                () -> configured().settings().budget(),
                config.replicas(),
                () -> memory.limit(MemoryUser.TRANSACTION_REQUESTS) / asked,
                memory.account(MemoryUser.TRANSACTION_SNAPSHOTS),
                memory.account(MemoryUser.TRANSACTION_REQUESTS),
                clock,
                measured);
        groups.put(LaneGroup.WHOLE, made(LaneGroup.whole(config.dataCentres())));
        memory.register(
                MemoryUser.TRANSACTION_LOGS, () -> held(status -> status.usage().laneBytes()));
        memory.register(
                MemoryUser.TRANSACTION_ROWS, () -> held(status -> status.usage().rowBytes()));
        memory.register(
                MemoryUser.TRANSACTION_EVENTS,
                () -> held(status -> status.usage().queuedBytes() + status.eventBytes()));
    }

    /** Of the last, half is for what waits for the core, half for what waits in it. */
    private TransactionsConfig configured() {
        int among = parts;
        return config.within(
                memory.limit(MemoryUser.TRANSACTION_LOGS) / among,
                memory.limit(MemoryUser.TRANSACTION_ROWS) / among,
                memory.limit(MemoryUser.TRANSACTION_EVENTS) / 2 / among);
    }

    private GroupNode made(LaneGroup group) {
        return new GroupNode(
                group,
                new DataCentres(group.dataCentres(), group.dataCentres().indexOf(ownDataCentre), self),
                Post.over(transport, group.number()),
                shared);
    }

    /** Where this node runs no process it holds nothing. */
    private long held(ToLongFunction<Status> part) {
        return groups.values().stream()
                .map(GroupNode::status)
                .filter(Objects::nonNull)
                .mapToLong(part)
                .sum();
    }

    /** To be called when the transport has started. */
    public void start() {
        started = true;
        groups.values().forEach(GroupNode::begin);
        Repeatedly.run(looks, "look for groups of lanes", this::look, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void look() {
        SortedSet<Integer> numbers = TransactionTables.groups();
        numbers.forEach(this::group);
        int wanted = count(GroupNode::isWanted);
        parts = Math.max(1, wanted);
        asked = Math.max(1, wanted + count(group -> !group.isMember()));
    }

    private int count(Predicate<GroupNode> which) {
        return (int) groups.values().stream().filter(which).count();
    }

    /**
     * The one with a number, which is made where the schema has a table of it; null where there is none, or it names
     * data centres that are not configured.
     */
    private @Nullable GroupNode group(int number) {
        GroupNode known = groups.get(number);
        if (known != null) {
            return known;
        }
        LaneGroup group = LaneGroup.numbered(number, config.dataCentres());
        if (group == null || !TransactionTables.groups().contains(number)) {
            return null;
        }
        synchronized (groups) {
            if (!groups.containsKey(number) && groups.size() <= LaneGroup.MOST) {
                GroupNode made = made(group);
                groups.put(number, made);
                if (started) {
                    made.begin();
                }
            }
        }
        return groups.get(number);
    }

    /**
     * To be called before the node stops: other ones take its processes over. Waits for that, for some seconds at the
     * most.
     */
    public void leave() {
        List<Thread> leaving = new ArrayList<>();
        for (GroupNode each : groups.values()) {
            // Not one of the group's own threads: what these wait for may take longer than a node that stops has.
            Thread thread = NamedThreadFactory.createAnonymousThread(Fatal.told(each::leave));
            thread.start();
            leaving.add(thread);
        }
        try {
            for (Thread thread : leaving) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public TransactionRunner runner(int group) {
        GroupNode known = group(group);
        return known == null ? new TransactionsOff(TransactionsOff.NO_SUCH_GROUP) : known.runner();
    }

    @Override
    public @Nullable LaneGroup numbered(int group) {
        return LaneGroup.numbered(group, config.dataCentres());
    }

    @Override
    public List<LaneGroup> all() {
        List<LaneGroup> all = new ArrayList<>();
        for (int number : TransactionTables.groups()) {
            LaneGroup group = numbered(number);
            if (group != null) {
                all.add(group);
            }
        }
        if (all.isEmpty() || wholeIsWanted()) {
            all.remove(numbered(LaneGroup.WHOLE));
            all.add(0, LaneGroup.whole(config.dataCentres()));
        }
        return all;
    }

    private boolean wholeIsWanted() {
        GroupNode whole = groups.get(LaneGroup.WHOLE);
        return whole != null && whole.isWanted();
    }

    @Override
    public boolean isHere(int group) {
        GroupNode known = group(group);
        return known != null && known.isMember();
    }

    /** For the table that shows how transactions do. */
    public TransactionsView view() {
        return new TransactionsView(() -> groups.values().stream()
                .flatMap(each -> each.dataCentresNow().stream())
                .toList());
    }

    /**
     * How this data centre's processes do, by the names of their groups' data centres: empty where another node runs
     * it, or none does. None of a group before a table is of it.
     */
    public Map<String, Optional<Status>> statuses() {
        Map<String, Optional<Status>> statuses = new TreeMap<>();
        groups.forEach((number, node) -> {
            if (node.isWanted()) {
                statuses.put(node.group().text(), Optional.ofNullable(node.status()));
            }
        });
        return statuses;
    }

    /**
     * A parcel from a node whose identity the transport has checked.
     *
     * @param version of the connection that brought it
     */
    public void parcel(NodeId from, byte[] bytes, int version) {
        try {
            OfGroup parcel = Parcel.unpack(bytes, version);
            GroupNode group = group(parcel.group());
            if (group != null) {
                group.parcel(from, parcel.bytes(), version);
            }
        } catch (BadDataException e) {
            Correspondence.bad(from, e);
        }
    }

    /**
     * A node whose plugin knows no groups of lanes, as far as this one is connected with it; null where there is none.
     */
    public @Nullable String withoutGroups() {
        return DataCentres.endpoints().entrySet().stream()
                .filter(node -> transport.version(new NodeId(node.getValue())) < Parcel.GROUPS)
                .map(node -> node.getKey().getHostAddress(false))
                .findFirst()
                .orElse(null);
    }

    /** Whether a call is for this class. */
    public static boolean isCall(byte[] request) {
        return CallForm.isOne(request);
    }

    /** A call from a node whose identity the transport has checked. */
    public CompletableFuture<byte[]> called(NodeId from, byte[] request) {
        try {
            OfGroup call = CallForm.unpack(request);
            GroupNode group = group(call.group());
            return group == null
                    ? CompletableFuture.failedFuture(new IllegalStateException(TransactionsOff.NO_SUCH_GROUP))
                    : group.called(from, call.bytes());
        } catch (BadDataException e) {
            Correspondence.bad(from, e);
            return CompletableFuture.failedFuture(new IllegalArgumentException(e.getMessage()));
        }
    }

    @Override
    public void close() {
        looks.shutdownNow();
        groups.values().forEach(GroupNode::close);
    }
}
