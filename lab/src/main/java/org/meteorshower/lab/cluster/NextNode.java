/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Name, address and token of one more node of a cluster.
 *
 * <p>Names and addresses of nodes that are gone are not given again while there are others: the nodes that stay
 * remember them for a while, and logs and histories would mean two nodes by one name.
 */
final class NextNode {
    private static final BigInteger RING = BigInteger.ONE.shiftLeft(64);
    private static final int LAST_OCTET = 254;

    private NextNode() {}

    /**
     * One more in this data centre.
     *
     * @param nodes those there are
     * @param gone those there were, in the order in which they went
     */
    static NodeSpec in(String dc, List<NodeSpec> nodes, List<NodeSpec> gone, String firstAddress) {
        return new NodeSpec(name(dc, nodes, gone), dc, address(nodes, gone, firstAddress), token(dc, nodes));
    }

    private static String name(String dc, List<NodeSpec> nodes, List<NodeSpec> gone) {
        Set<String> taken = new HashSet<>();
        nodes.forEach(node -> taken.add(node.name()));
        gone.forEach(node -> taken.add(node.name()));
        int number = 1;
        while (taken.contains(dc + "-" + number)) {
            number++;
        }
        return dc + "-" + number;
    }

    private static String address(List<NodeSpec> nodes, List<NodeSpec> gone, String firstAddress) {
        Set<String> taken = new HashSet<>();
        nodes.forEach(node -> taken.add(node.address()));
        Set<String> used = new HashSet<>(taken);
        gone.forEach(node -> used.add(node.address()));
        int dot = firstAddress.lastIndexOf('.') + 1;
        for (int last = Integer.parseInt(firstAddress.substring(dot)); last <= LAST_OCTET; last++) {
            String address = firstAddress.substring(0, dot) + last;
            if (!used.contains(address)) {
                return address;
            }
        }
        // Whoever went first has been forgotten by the others first.
        return gone.stream()
                .map(NodeSpec::address)
                .filter(address -> !taken.contains(address))
                .findFirst()
                .orElseThrow(() -> new ClusterException("no address is left after " + firstAddress
                        + ": start the cluster with a lower --first-address"));
    }

    /** The middle of the largest range that the data centre's nodes leave between them. */
    private static long token(String dc, List<NodeSpec> nodes) {
        List<Long> own = new ArrayList<>();
        Set<Long> taken = new HashSet<>();
        taken.add(Long.MIN_VALUE); // Cassandra keeps it for itself
        for (NodeSpec node : nodes) {
            taken.add(node.token());
            if (node.dc().equals(dc)) {
                own.add(node.token());
            }
        }
        own.sort(null);
        BigInteger from = BigInteger.valueOf(Long.MIN_VALUE);
        BigInteger largest = own.isEmpty() ? RING : BigInteger.ZERO;
        for (int i = 0; i < own.size(); i++) {
            BigInteger start = BigInteger.valueOf(own.get(i));
            BigInteger next = i + 1 < own.size()
                    ? BigInteger.valueOf(own.get(i + 1))
                    : BigInteger.valueOf(own.get(0)).add(RING);
            if (next.subtract(start).compareTo(largest) > 0) {
                largest = next.subtract(start);
                from = start;
            }
        }
        long token = from.add(largest.shiftRight(1)).longValue(); // round the ring, as two's complement goes
        while (taken.contains(token)) {
            token++;
        }
        return token;
    }
}
