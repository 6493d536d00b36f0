/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * Names, addresses and tokens of a cluster's nodes.
 *
 * <p>Tokens are evenly spaced round the whole ring and dealt to the data centres in turn, so each data centre on its
 * own covers the ring evenly too.
 */
final class Topology {
    private static final BigInteger RING = BigInteger.ONE.shiftLeft(64);

    private Topology() {}

    static List<NodeSpec> plan(ClusterOptions options) {
        int count = options.dcs().size() * options.nodesPerDc();
        int[] first = octets(options.firstAddress());
        if (first[3] + count - 1 > 254) {
            throw new IllegalArgumentException(count + " addresses from " + options.firstAddress()
                    + " do not fit: the last number must stay under 255; choose a lower --first-address");
        }
        List<NodeSpec> nodes = new ArrayList<>();
        for (int d = 0; d < options.dcs().size(); d++) {
            String dc = options.dcs().get(d);
            for (int n = 0; n < options.nodesPerDc(); n++) {
                int place = nodes.size();
                String address = first[0] + "." + first[1] + "." + first[2] + "." + (first[3] + place);
                nodes.add(new NodeSpec(
                        dc + "-" + (n + 1), dc, address, token(n * options.dcs().size() + d, count)));
            }
        }
        return nodes;
    }

    /** The middle of the index-th of count equal arcs; never Long.MIN_VALUE, which Cassandra keeps for itself. */
    static long token(int index, int count) {
        return RING.multiply(BigInteger.valueOf(2L * index + 1))
                .divide(BigInteger.valueOf(2L * count))
                .add(BigInteger.valueOf(Long.MIN_VALUE))
                .longValueExact();
    }

    private static int[] octets(String address) {
        String[] parts = address.split("\\.", -1);
        int[] octets = new int[4];
        boolean valid = parts.length == 4;
        for (int i = 0; valid && i < 4; i++) {
            valid = parts[i].matches("\\d{1,3}");
            octets[i] = valid ? Integer.parseInt(parts[i]) : 0;
            valid = valid && octets[i] <= 255;
        }
        if (!valid || octets[0] != 127 || octets[3] == 0) {
            throw new IllegalArgumentException(
                    "'" + address + "' is no loopback address: give 127.a.b.c, for example --first-address 127.0.1.1");
        }
        return octets;
    }
}
