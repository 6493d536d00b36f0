/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;

/** Decides whether a cluster may start in a folder, and as what. */
final class NewCluster {
    private NewCluster() {}

    /** The state to begin with: new, or with the token secret and the data that an earlier run left. */
    static ClusterState admit(Path folder, StateFile stateFile, ClusterOptions options) {
        List<NodeSpec> specs = Topology.plan(options);
        if (!stateFile.exists()) {
            if (!Folders.isEmptyOrMissing(folder)) {
                throw new ClusterException(folder + " is not empty and holds no cluster: choose another --dir");
            }
            return state(options, newSecret(), specs);
        }
        ClusterState old = stateFile.read();
        long running = old.nodes().stream().filter(e -> e.running().isPresent()).count();
        if (running > 0) {
            throw new ClusterException("a cluster already runs in " + folder + " (" + running
                    + " nodes).\nStop it with ./meteor cluster stop, or start a second one beside it: --name other"
                    + " --first-address 127.0.1.1");
        }
        // By what it was started with: nodes may have been added since, and others taken away.
        if (!Topology.plan(old.options()).equals(specs)) {
            throw new ClusterException(folder + " keeps the data of a cluster of another shape ("
                    + String.join(",", old.options().dcs()) + ", "
                    + old.options().nodesPerDc()
                    + " nodes each, from " + old.options().firstAddress()
                    + ").\nStart it with the same options, or delete it: ./meteor cluster stop");
        }
        return new ClusterState(
                ClusterState.VERSION, old.name(), options, old.tokenSecret(), old.nodes(), old.goneNodes());
    }

    private static ClusterState state(ClusterOptions options, String secret, List<NodeSpec> specs) {
        return new ClusterState(
                ClusterState.VERSION,
                "meteorshower",
                options,
                secret,
                specs.stream().map(s -> new ClusterState.NodeEntry(s, null)).toList());
    }

    private static String newSecret() {
        byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        return HexFormat.of().formatHex(secret);
    }
}
