/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is written down of a cluster, in cluster.json, so that another run of the tool finds it again. Immutable.
 *
 * @param version of this file's form
 * @param name the cluster's name
 * @param options what it was started with
 * @param tokenSecret key of the session tokens; the same for the life of the data
 * @param nodes all nodes, running or not
 * @param gone those that were in the ring once and are not any more, in the order in which they went
 */
public record ClusterState(
        int version,
        String name,
        ClusterOptions options,
        String tokenSecret,
        List<NodeEntry> nodes,
        @Nullable List<NodeSpec> gone) {
    static final int VERSION = 1;

    /** A node and its last process, which may be gone; none where it was never started or was stopped. */
    public record NodeEntry(NodeSpec spec, @Nullable NodeProcess process) {
        Optional<NodeProcess> running() {
            return Optional.ofNullable(process).filter(NodeProcess::isAlive);
        }
    }

    public ClusterState {
        nodes = List.copyOf(nodes);
        gone = gone == null ? List.of() : List.copyOf(gone); // of a file that was written before nodes could go
    }

    ClusterState(int version, String name, ClusterOptions options, String tokenSecret, List<NodeEntry> nodes) {
        this(version, name, options, tokenSecret, nodes, List.of());
    }

    /** What {@code gone} is to everybody but the file's reader: never null. */
    List<NodeSpec> goneNodes() {
        return gone == null ? List.of() : gone;
    }

    ClusterState withNode(NodeSpec spec) {
        List<NodeEntry> changed = new ArrayList<>(nodes);
        changed.add(new NodeEntry(spec, null));
        return new ClusterState(version, name, options, tokenSecret, changed, gone);
    }

    /** Without one that never came to be in the ring. */
    ClusterState withoutNode(String node) {
        List<NodeEntry> changed = new ArrayList<>(nodes);
        changed.removeIf(entry -> entry.spec().name().equals(node));
        return new ClusterState(version, name, options, tokenSecret, changed, gone);
    }

    /** Without one that has left the ring, and is remembered. */
    ClusterState withGone(String node) {
        List<NodeSpec> remembered = new ArrayList<>(goneNodes());
        nodes.stream()
                .map(NodeEntry::spec)
                .filter(spec -> spec.name().equals(node))
                .forEach(remembered::add);
        return new ClusterState(
                version, name, options, tokenSecret, withoutNode(node).nodes(), remembered);
    }

    ClusterState withProcess(String node, @Nullable NodeProcess process) {
        List<NodeEntry> changed = new ArrayList<>();
        for (NodeEntry entry : nodes) {
            changed.add(entry.spec().name().equals(node) ? new NodeEntry(entry.spec(), process) : entry);
        }
        return new ClusterState(version, name, options, tokenSecret, changed, gone);
    }
}
