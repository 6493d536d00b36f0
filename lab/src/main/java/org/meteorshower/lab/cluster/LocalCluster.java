/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of Cassandra nodes on this machine, each a process of its own on a loopback address of its own.
 *
 * <p>What is known of it lies in a folder, so another process can {@link #attach} to it. A cluster that was
 * {@link #start started} here ends with this process, also by Ctrl-C, unless it is {@link #detach detached}.
 *
 * <p>Thread-safe: operations take turns. Those that wait say for how long at most; all throw {@link ClusterException}
 * with cause and cure.
 */
public final class LocalCluster implements AutoCloseable {
    private final Path folder;
    private final StateFile stateFile;
    private final NodeStarter starter;
    private final Wan wan;
    private @Nullable Thread endWithProcess;

    private LocalCluster(Installation installation, Path folder, @Nullable NodeSoftware software) {
        this.folder = folder.toAbsolutePath().normalize();
        stateFile = new StateFile(this.folder);
        starter = new NodeStarter(installation, this.folder, stateFile, software);
        wan = new Wan(this.folder.resolve("wan.properties"));
    }

    /**
     * Starts a cluster and waits until all nodes serve and see each other. Where the folder keeps the data of a cluster
     * of the same shape, it goes on with it. If anything fails, nothing is left running.
     *
     * @param folder the cluster's own folder; missing, empty, or one that an earlier cluster left with its data
     * @param limit how long the nodes may take
     */
    public static LocalCluster start(
            Installation installation, Path folder, ClusterOptions options, Duration limit, Progress progress) {
        return start(installation, folder, options, null, limit, progress);
    }

    /**
     * The same of nodes that run something else.
     *
     * @param software null: the Cassandra that the project is for
     */
    public static LocalCluster start(
            Installation installation,
            Path folder,
            ClusterOptions options,
            @Nullable NodeSoftware software,
            Duration limit,
            Progress progress) {
        LocalCluster cluster = new LocalCluster(installation, folder, software);
        cluster.boot(options, limit, progress);
        return cluster;
    }

    /** The cluster in a folder, running or not. Throws {@link NoClusterException} where there is none. */
    public static LocalCluster attach(Installation installation, Path folder) {
        LocalCluster cluster = new LocalCluster(installation, folder, null);
        cluster.state();
        return cluster;
    }

    private synchronized void boot(ClusterOptions options, Duration limit, Progress progress) {
        ClusterState state = NewCluster.admit(folder, stateFile, options);
        boolean fresh = !stateFile.exists();
        List<NodeSpec> specs =
                state.nodes().stream().map(ClusterState.NodeEntry::spec).toList();
        PortCheck.requireFree(specs, options.plugin());
        starter.prepare(state.options(), specs.get(0).address(), progress);
        wan.write(WanMatrix.of(options));
        stateFile.write(state);
        Thread hook = new Thread(() -> abandon(fresh), "end-cluster");
        Runtime.getRuntime().addShutdownHook(hook);
        endWithProcess = hook;
        try {
            starter.start(specs, limit, progress);
        } catch (RuntimeException e) {
            abandon(fresh);
            forgetHook();
            throw e;
        }
    }

    /** By the shutdown hook too, while an operation holds this object's own lock: hence another one. */
    private void abandon(boolean deleteData) {
        synchronized (starter) {
            starter.abandon();
            if (deleteData) {
                Folders.delete(folder);
            }
        }
    }

    public Path folder() {
        return folder;
    }

    public ClusterOptions options() {
        return state().options();
    }

    public List<NodeSpec> nodes() {
        return state().nodes().stream().map(ClusterState.NodeEntry::spec).toList();
    }

    /** The names of those in this data centre. */
    public List<String> nodesOf(String dc) {
        return nodes().stream()
                .filter(node -> node.dc().equals(dc))
                .map(NodeSpec::name)
                .toList();
    }

    /** Those that were in the ring once and are not any more, in the order in which they went. */
    public List<NodeSpec> gone() {
        return state().goneNodes();
    }

    /**
     * What one more node of this data centre is to be: the next name, a free address, and a token in the middle of the
     * largest range. Throws {@link IllegalArgumentException} where there is no such data centre.
     */
    public NodeSpec newNode(String dc) {
        ClusterState state = state();
        state.options().requireDc(dc);
        if (state.nodes().size() >= ClusterOptions.MAX_NODES) {
            throw new ClusterException("the cluster has " + state.nodes().size() + " nodes, the most for one machine");
        }
        return NextNode.in(dc, nodes(), state.goneNodes(), state.options().firstAddress());
    }

    /** What the one that takes a node's place is to be: with its tokens, and a name and an address of its own. */
    public NodeSpec replacementOf(String name) {
        NodeSpec old = node(name);
        NodeSpec next = NextNode.in(old.dc(), nodes(), gone(), options().firstAddress());
        return new NodeSpec(next.name(), next.dc(), next.address(), old.token());
    }

    /** Throws {@link ClusterException} that lists the names there are. */
    public NodeSpec node(String name) {
        return entry(name).spec();
    }

    /** Where drivers connect: every node's CQL address, in the order of {@link #nodes}. */
    public List<InetSocketAddress> contactPoints() {
        return nodes().stream()
                .map(n -> new InetSocketAddress(n.address(), NodeSpec.CQL_PORT))
                .toList();
    }

    public List<NodeStatus> status() {
        return state().nodes().stream().map(NodeStatus::of).toList();
    }

    /** The emulated network. Without the plugin nobody reads it. */
    public Wan wan() {
        return wan;
    }

    /** What the node logs. */
    public Path systemLog(String name) {
        return starter.folderOf(node(name)).systemLog();
    }

    /** What the node's JVM says itself. */
    public Path standardOutput(String name) {
        return starter.folderOf(node(name)).standardOutput();
    }

    /** Tables, commit log and journal of the node. */
    public Path dataFolder(String name) {
        return starter.folderOf(node(name)).data();
    }

    /** Whether the node has a process, be it of use or not. Does not wait for operations. */
    public boolean isRunning(String name) {
        return entry(name).running().isPresent();
    }

    /** SIGKILL: the node has no chance to say goodbye. Its data stays. */
    public synchronized void kill(String name) {
        Stopping.atOnce(List.of(running(name)));
    }

    /** Kills the node unless it has ended by itself. */
    public synchronized void killIfRunning(String name) {
        entry(name).running().ifPresent(process -> Stopping.atOnce(List.of(process)));
    }

    /**
     * From now on no file of the node's can grow, as on a disk that is full. Its end, or {@link #freeDisk}, undoes it.
     */
    public synchronized void fillDisk(String name) {
        running(name).limitFileSizes();
    }

    /** The files of the node can grow again: there is room on its disk. */
    public synchronized void freeDisk(String name) {
        running(name).unlimitFileSizes();
    }

    /**
     * Of a node without a process: the files of some tables, and the commit log, are gone, as with a disk that was
     * lost.
     *
     * @param tables what the names of their folders begin with
     */
    public synchronized void loseTables(String name, String keyspace, String tables) {
        if (isRunning(name)) {
            throw new ClusterException(name + " runs: kill it before its disk is taken");
        }
        Folders.deleteThose(dataFolder(name).resolve("data").resolve(keyspace), tables);
        Folders.deleteThose(dataFolder(name).resolve("commitlog"), "");
    }

    /** SIGSTOP: the node hangs, its connections stay open. */
    public synchronized void pause(String name) {
        running(name).signal("STOP");
    }

    /** SIGCONT: a paused node goes on as if no time had passed. */
    public synchronized void resume(String name) {
        running(name).signal("CONT");
    }

    /** Ends the node, if it runs, in good order, and starts it on its data; waits until it is back. */
    public synchronized void restart(String name, Duration limit, Progress progress) {
        restart(name, options(), limit, progress);
    }

    /** The same without the plugin, until it is restarted again. Its messages are not delayed meanwhile. */
    public synchronized void restartWithoutPlugin(String name, Duration limit, Progress progress) {
        restart(name, options().toBuilder().plugin(false).build(), limit, progress);
    }

    /** The same with more options of the plugin, until it is restarted again. */
    public synchronized void restart(
            String name, Map<String, String> pluginOptions, Duration limit, Progress progress) {
        restart(name, options().toBuilder().pluginOptions(pluginOptions).build(), limit, progress);
    }

    /** The same with more options of Cassandra's, until it is restarted again. */
    public synchronized void restartWith(
            String name, Map<String, String> cassandraOptions, Duration limit, Progress progress) {
        restart(name, options().toBuilder().cassandraOptions(cassandraOptions).build(), limit, progress);
    }

    /** Several nodes at the same time: ends those that run, starts all on their data, waits until they are back. */
    public synchronized void restart(List<String> names, Duration limit, Progress progress) {
        restart(names, options(), limit, progress);
    }

    private void restart(String name, ClusterOptions options, Duration limit, Progress progress) {
        restart(List.of(name), options, limit, progress);
    }

    private void restart(List<String> names, ClusterOptions options, Duration limit, Progress progress) {
        List<ClusterState.NodeEntry> entries = names.stream().map(this::entry).toList();
        List<NodeSpec> specs =
                entries.stream().map(ClusterState.NodeEntry::spec).toList();
        Stopping.gracefully(entries.stream().flatMap(e -> e.running().stream()).toList());
        PortCheck.requireFree(specs, options.plugin());
        starter.prepare(options, specs.get(0).address(), progress);
        starter.start(specs, options, limit, progress);
    }

    /**
     * Adds a node, which takes its partitions over from the others while they serve; waits until it is up and has them.
     *
     * @param node with a name, an address and a token of its own, in one of the data centres there are
     * @param jvmOptions for this first start alone
     */
    public synchronized void add(NodeSpec node, List<String> jvmOptions, Duration limit, Progress progress) {
        ClusterOptions options = options();
        if (!options.dcs().contains(node.dc())
                || nodes().stream().anyMatch(each -> each.name().equals(node.name()))) {
            throw new ClusterException("a node " + node.name() + " cannot be added to data centre " + node.dc()
                    + ": the data centre must exist, and the name be new");
        }
        PortCheck.requireFree(List.of(node), options.plugin());
        Folders.delete(starter.folderOf(node).root()); // of a node that had this name before
        starter.prepare(options, node.address(), progress);
        stateFile.update(state -> state.withNode(node));
        try {
            following(
                    node.name(),
                    progress,
                    () -> starter.start(List.of(node), joining(options, jvmOptions), limit, progress));
        } catch (RuntimeException e) {
            killIfRunning(node.name());
            stateFile.update(state -> state.withoutNode(node.name()));
            throw e;
        }
    }

    /** Adds a node in the place of one that is dead, which is forgotten once the new one is there. */
    public synchronized void replace(String dead, NodeSpec node, Duration limit, Progress progress) {
        String address = node(dead).address();
        if (isRunning(dead)) {
            throw new ClusterException(dead + " runs: kill it before another node takes its place");
        }
        add(node, List.of("-Dcassandra.replace_address_first_boot=" + address), limit, progress);
        forget(dead);
    }

    /** Drops a node that has left the ring, or never comes back: kills it if it runs. Its files go with the cluster. */
    public synchronized void forget(String name) {
        entry(name).running().ifPresent(process -> Stopping.atOnce(List.of(process)));
        stateFile.update(state -> state.withGone(name));
    }

    /** Does something, and meanwhile tells what the node logs of its place in the ring. */
    public void following(String name, Progress progress, Runnable work) {
        RingProgress followed = RingProgress.of(systemLog(name), progress);
        try {
            work.run();
        } finally {
            followed.close();
        }
    }

    /** The number of the node's process. */
    public long pid(String name) {
        return running(name).pid();
    }

    private static ClusterOptions joining(ClusterOptions options, List<String> jvmOptions) {
        ClusterOptions.Builder joining = options.toBuilder().cassandraOptions(Map.of("auto_bootstrap", "true"));
        if (!jvmOptions.isEmpty()) {
            joining.cassandraOptions(
                    Map.of("initial_token", "null")); // it takes the tokens of the one that it replaces
        }
        // With the delays of the others, next to none, it would give up before its seed can have answered. It waits so
        // long for a schema, too, and then takes part in writes without one: it drops what it cannot read, and what it
        // should have passed on.
        return joining.jvmOptions(List.of("-Dcassandra.ring_delay_ms=8000", "-Dcassandra.schema_delay_ms=20000"))
                .jvmOptions(jvmOptions)
                .build();
    }

    /** From now on the cluster outlives this process. */
    public synchronized void detach() {
        forgetHook();
    }

    /** Ends all nodes in good order, those that do not listen by SIGKILL; with their data, or without. */
    public synchronized void stop(boolean keepData) {
        List<NodeProcess> running =
                state().nodes().stream().flatMap(e -> e.running().stream()).toList();
        Stopping.gracefully(running);
        forgetHook();
        if (keepData) {
            for (NodeSpec node : nodes()) {
                stateFile.update(state -> state.withProcess(node.name(), null));
            }
        } else {
            Folders.delete(folder);
        }
    }

    /** Stops and deletes the cluster. Does nothing the second time. */
    @Override
    public synchronized void close() {
        if (stateFile.exists()) {
            stop(false);
        }
    }

    private ClusterState state() {
        return stateFile.read();
    }

    private ClusterState.NodeEntry entry(String name) {
        List<ClusterState.NodeEntry> entries = state().nodes();
        return entries.stream()
                .filter(e -> e.spec().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ClusterException("no node is called " + name + "; the nodes are "
                        + String.join(
                                ", ", entries.stream().map(e -> e.spec().name()).toList())));
    }

    private NodeProcess running(String name) {
        return entry(name)
                .running()
                .orElseThrow(() -> new ClusterException(
                        name + " is not running. Start it again: ./meteor cluster restart " + name));
    }

    private void forgetHook() {
        Thread hook = endWithProcess;
        endWithProcess = null;
        if (hook != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The process is ending: the hook runs already, and finds nothing left to end.
            }
        }
    }
}
