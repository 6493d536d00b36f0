/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.ArrayList;
import java.util.List;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.NodeSpec;

/** For each node another name and address, under which the one that replaces it comes up. Immutable. */
final class Spares {
    private static final int ADDRESSES_APART = 100;

    private final List<NodeSpec> nodes;
    private final List<NodeSpec> spares = new ArrayList<>();

    /** @param nodes those that a cluster begins with; fewer than a hundred, with addresses that end in 1 to 100 */
    Spares(List<NodeSpec> nodes) {
        this.nodes = List.copyOf(nodes);
        for (NodeSpec node : nodes) {
            int dot = node.address().lastIndexOf('.') + 1;
            int last = Integer.parseInt(node.address().substring(dot)) + ADDRESSES_APART;
            if (last > 254) {
                throw new ClusterException("a node that replaces " + node.name() + " would need the address "
                        + node.address().substring(0, dot) + last
                        + ", which there is not: choose a --first-address that ends in 1 to 100");
            }
            // It takes the tokens of the one that it replaces, so its own does not matter.
            spares.add(new NodeSpec(
                    node.name() + "-spare", node.dc(), node.address().substring(0, dot) + last, node.token()));
        }
    }

    /** Who takes the place of this one. */
    NodeSpec of(String name) {
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.get(i).name().equals(name)) {
                return spares.get(i);
            } else if (spares.get(i).name().equals(name)) {
                return nodes.get(i);
            }
        }
        throw new IllegalArgumentException("no node is called " + name);
    }
}
