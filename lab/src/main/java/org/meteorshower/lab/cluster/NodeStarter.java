/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Starts nodes of one cluster, some or all, and waits for them. Not thread-safe, but for {@link #abandon}, which a
 * shutdown hook calls while a start is under way.
 */
final class NodeStarter {
    private static final int LINES_SHOWN = 20;
    private static final int COLUMNS_SHOWN = 240;

    private final Installation installation;
    private final Path folder;
    private final StateFile stateFile;
    private final @Nullable NodeSoftware software;
    private @Nullable NodeCommand command;
    private final List<NodeProcess> launched = new ArrayList<>();
    private boolean abandoned;

    /** @param software what the nodes run; null: the Cassandra that the project is for */
    NodeStarter(Installation installation, Path folder, StateFile stateFile, @Nullable NodeSoftware software) {
        this.installation = installation;
        this.folder = folder;
        this.stateFile = stateFile;
        this.software = software;
    }

    NodeFolder folderOf(NodeSpec node) {
        return new NodeFolder(folder.resolve("nodes").resolve(node.name()));
    }

    /** Finds what a start needs, and makes the class data archive where it is missing. */
    void prepare(ClusterOptions options, String freeAddress, Progress progress) {
        command = new NodeCommand(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                software == null ? NodeSoftware.cassandra(installation.nodeJars()) : software,
                options.plugin() ? Optional.of(installation.pluginJar()) : Optional.empty());
        ClassDataArchive archive = new ClassDataArchive(cache(), command);
        if (!archive.exists()) {
            progress.say("preparing Cassandra's classes for quick starts (only this once)");
            Training.run(archive, command, cache(), freeAddress);
        }
    }

    /** Starts nodes that do not run; {@link #prepare} came first. What was started stays in the state file. */
    void start(List<NodeSpec> nodes, Duration limit, Progress progress) {
        start(nodes, stateFile.read().options(), limit, progress);
    }

    /** The same with options that these nodes alone are started with. */
    void start(List<NodeSpec> nodes, ClusterOptions options, Duration limit, Progress progress) {
        ClusterState state = stateFile.read();
        List<Readiness.Member> others = new ArrayList<>();
        for (ClusterState.NodeEntry entry : state.nodes()) {
            Optional<NodeProcess> running = entry.running().filter(p -> !p.isPaused());
            running.ifPresent(process -> others.add(member(entry.spec(), process)));
        }
        progress.say("starting "
                + String.join(", ", nodes.stream().map(NodeSpec::name).toList())
                + (state.options().plugin() ? "" : " without the plugin"));
        // A node that is up knows the ring best; the first node of a new cluster is its own seed.
        String seed =
                others.isEmpty() ? nodes.get(0).address() : others.get(0).spec().address();
        long startNanos = System.nanoTime();
        List<Readiness.Member> started = new ArrayList<>();
        for (NodeSpec node : nodes) {
            started.add(launch(node, state, options, seed));
        }
        try {
            new Readiness(started, others, startNanos, software == null, progress).await(limit);
        } catch (Readiness.NotReadyException e) {
            if (isAbandoned()) {
                throw new ClusterException("stopped before the nodes were ready", e);
            }
            throw explained(e);
        }
        long resident =
                started.stream().mapToLong(m -> m.process().residentBytes()).sum();
        progress.say(String.format(
                Locale.ROOT,
                "%s after %.1f s, %d MB of memory",
                nodes.size() == 1
                        ? nodes.get(0).name() + " is up and sees the others"
                        : nodes.size() + " nodes are up and see each other",
                (System.nanoTime() - startNanos) / 1e9,
                resident >> 20));
    }

    /** Kills every node that was started here and starts no more. */
    void abandon() {
        List<NodeProcess> all;
        synchronized (this) {
            abandoned = true;
            all = List.copyOf(launched);
        }
        Stopping.atOnce(all);
    }

    private synchronized boolean isAbandoned() {
        return abandoned;
    }

    private synchronized Readiness.Member launch(
            NodeSpec node, ClusterState state, ClusterOptions options, String seed) {
        NodeCommand ready = command;
        if (ready == null || abandoned) {
            throw new ClusterException("the cluster is being stopped");
        }
        NodeFolder nodeFolder = folderOf(node);
        new NodeFiles(state.name(), options, state.tokenSecret(), folder.resolve("wan.properties"))
                .write(node, nodeFolder, seed);
        GossipLog gossip = new GossipLog(nodeFolder.systemLog());
        NodeProcess process = new NodeLauncher(ready.withOwnPlugin(nodeFolder), options)
                .launch(nodeFolder, new ClassDataArchive(cache(), ready).useOptions());
        launched.add(process);
        stateFile.update(s -> s.withProcess(node.name(), process));
        return new Readiness.Member(node, process, nodeFolder, gossip);
    }

    private Readiness.Member member(NodeSpec spec, NodeProcess process) {
        NodeFolder nodeFolder = folderOf(spec);
        return new Readiness.Member(spec, process, nodeFolder, new GossipLog(nodeFolder.systemLog()));
    }

    private Path cache() {
        return installation.workFolder().resolve("cache");
    }

    /** The failure with the end of the node's logs, which are saved from the cleaning-up that follows. */
    private ClusterException explained(Readiness.NotReadyException failure) {
        NodeFolder failed = failure.culprit().folder();
        StringBuilder text = new StringBuilder(failure.getMessage());
        Path saved = installation
                .workFolder()
                .resolve("failed")
                .resolve(failure.culprit().spec().name());
        for (Path log : List.of(failed.standardOutput(), failed.systemLog())) {
            List<String> tail = LogTail.of(log, LINES_SHOWN);
            if (!tail.isEmpty()) {
                text.append("\n--- end of ")
                        .append(log.getFileName())
                        .append('\n')
                        .append(String.join("\n", shortened(tail)));
            }
            try {
                Files.createDirectories(saved);
                if (Files.exists(log)) {
                    Files.copy(log, saved.resolve(log.getFileName()), StandardCopyOption.REPLACE_EXISTING);
                }
            } catch (IOException e) {
                text.append("\n(the logs could not be saved: ")
                        .append(e.getMessage())
                        .append(')');
            }
        }
        return new ClusterException(
                text.append("\n--- whole logs in ").append(saved).toString(), failure);
    }

    private static List<String> shortened(List<String> lines) {
        return lines.stream()
                .map(line -> line.length() <= COLUMNS_SHOWN ? line : line.substring(0, COLUMNS_SHOWN) + "…")
                .toList();
    }
}
