/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Who leads each lane of the transactions, as the nodes tell it themselves. For one thread. */
final class Lanes {
    private final Map<String, String> leaders = new HashMap<>();
    private final Map<String, Set<String>> ledBefore = new HashMap<>();
    private final List<Change> changes = new ArrayList<>();

    /**
     * A lane that got another leader.
     *
     * @param excused whether a fault was under way, or not settled yet
     */
    record Change(double second, String lane, String from, String to, boolean excused) {}

    /**
     * What a node tells. A lane has a new leader when a node says so that did not say so before: one that was taken
     * over may go on saying it for a while.
     *
     * @param led the lanes that it leads, by its own account
     */
    void saw(double second, String node, Set<String> led, boolean excused) {
        Set<String> before = ledBefore.getOrDefault(node, Set.of());
        for (String lane : led) {
            if (before.contains(lane)) {
                continue;
            }
            String earlier = leaders.put(lane, node);
            if (earlier != null && !earlier.equals(node)) {
                changes.add(new Change(second, lane, earlier, node, excused));
            }
        }
        ledBefore.put(node, new HashSet<>(led));
    }

    /** Its process has ended: what it tells next, it says anew. */
    void ended(String node) {
        ledBefore.remove(node);
    }

    List<Change> changes() {
        return List.copyOf(changes);
    }

    long unprovoked() {
        return changes.stream().filter(change -> !change.excused()).count();
    }
}
