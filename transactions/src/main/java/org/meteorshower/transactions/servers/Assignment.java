/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayList;
import java.util.List;

/**
 * Which node serves which range. Written by compare-and-set, so there is one for each number. Who has an older one
 * sends to who does not serve any more: then what is sent is lost, and asked for again.
 *
 * @param servers by range
 */
public record Assignment(long number, List<Integer> servers) {
    public Assignment {
        servers = List.copyOf(servers);
    }

    /** The next one, in which a node's ranges are dealt out to these in turn; all others stay where they are. */
    public Assignment without(int node, List<Integer> living) {
        List<Integer> next = new ArrayList<>(servers);
        int dealt = 0;
        for (int range = 0; range < next.size(); range++) {
            if (next.get(range) == node) {
                next.set(range, living.get(dealt++ % living.size()));
            }
        }
        return new Assignment(number + 1, next);
    }

    /** The next one, in which a range is served by this node. */
    public Assignment with(int range, int node) {
        List<Integer> next = new ArrayList<>(servers);
        next.set(range, node);
        return new Assignment(number + 1, next);
    }
}
