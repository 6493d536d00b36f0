/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.util.Map;
import java.util.TreeMap;

/** What the users of each node's memory told of their bytes, at most. For one thread. */
final class Budgets {
    private final Map<String, Use> most = new TreeMap<>();
    private boolean told;

    /**
     * What one user of a node's memory told.
     *
     * @param peak the most that it ever used since the node's start
     * @param timesFull how often it came to its end
     */
    record Use(String user, long used, long limit, long peak, long timesFull) {
        /** Whether it used more than it may. A limit of 0 is none. */
        boolean isExceeded() {
            return limit > 0 && Math.max(used, peak) > limit;
        }

        private Use max(Use other) {
            return new Use(
                    user,
                    Math.max(used, other.used),
                    other.limit,
                    Math.max(peak, other.peak),
                    Math.max(timesFull, other.timesFull));
        }
    }

    void saw(String node, Use use) {
        told = true;
        String name = node + " " + use.user();
        Use earlier = most.get(name);
        // Once exceeded it stays so, even if a node that restarted counts anew.
        if (earlier == null || !earlier.isExceeded()) {
            most.put(name, earlier == null ? use : earlier.max(use));
        }
    }

    /** Whether any node told of budgets at all. */
    boolean isTold() {
        return told;
    }

    /** By node and user. */
    Map<String, Use> most() {
        return Map.copyOf(most);
    }

    /** How many users of a node's memory had more than they may. */
    long exceeded() {
        return most.values().stream().filter(Use::isExceeded).count();
    }
}
