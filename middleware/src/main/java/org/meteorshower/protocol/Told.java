/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Whom a node tells what it stamps: who holds partitions with it, but for those that have lost a table to others
 * without knowing. What such a node is told of one table lets it go on with all that it knows, also with the one that
 * it has lost. Not thread-safe.
 */
public final class Told {
    /** Who is off the ring, and was in an epoch of some table that this node has left. */
    private final Set<NodeId> displaced = new HashSet<>();

    /**
     * Returns the peers from now on. To be asked whenever a table is followed, left or forgotten.
     *
     * @param followed who holds partitions with this node, by the names of tables that it goes by
     * @param left the same by those that it has left for others and still answers to
     * @param isOnRing whether a node has a place on the ring, as this node sees it now
     */
    public Set<NodeId> among(Set<NodeId> followed, Set<NodeId> left, Predicate<NodeId> isOnRing) {
        left.stream().filter(isOnRing.negate()).forEach(displaced::add);
        displaced.removeIf(node -> isOnRing.test(node) || !(followed.contains(node) || left.contains(node)));
        Set<NodeId> told = new HashSet<>(left);
        told.addAll(followed);
        told.removeAll(displaced);
        return told;
    }
}
