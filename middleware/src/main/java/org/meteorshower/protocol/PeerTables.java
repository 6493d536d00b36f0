/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What each node last said of its tables. A report names all that the node has enabled, so what it named before and
 * does not name any more it has given up: it takes mutations of that table which it tells nobody of.
 */
final class PeerTables {
    /**
     * @param goneBy the names that the node goes by
     * @param left those that it has left for another one, and still answers to
     */
    private record Said(long incarnation, long hlcMicros, Set<UUID> goneBy, Set<UUID> left) {
        boolean hasLeft(UUID table) {
            return left.contains(table);
        }

        boolean isAfter(Message.Tables message) {
            return incarnation > message.incarnation()
                    || (incarnation == message.incarnation() && hlcMicros >= message.hlcMicros());
        }
    }

    private final Map<NodeId, Said> said = new HashMap<>();

    /**
     * Takes a report in; returns what the node has given up since the one before, or null where a later one is known.
     */
    @Nullable
    Set<UUID> heard(NodeId from, Message.Tables message) {
        Said before = said.get(from);
        if (before != null && before.isAfter(message)) {
            return null;
        }
        Set<UUID> goneBy = new HashSet<>();
        Set<UUID> left = new HashSet<>();
        for (Message.TableReport report : message.tables()) {
            (report.left() ? left : goneBy).add(report.table());
        }
        said.put(from, new Said(message.incarnation(), message.hlcMicros(), goneBy, left));
        Set<UUID> givenUp = before == null ? new HashSet<>() : new HashSet<>(before.goneBy());
        givenUp.removeAll(goneBy);
        givenUp.removeAll(left);
        return givenUp;
    }

    /** The names that the node goes by, by what it last said; null where it was not heard. */
    @Nullable
    Set<UUID> namesOf(NodeId node) {
        Said last = said.get(node);
        return last == null ? null : last.goneBy();
    }

    /**
     * Whether the node has said that it does not answer to this name of a table (any more). False where it was not
     * heard, and where it has left the name for another one and still answers to it: others count on what it says of
     * it, and it does not say what it takes under the other.
     */
    boolean isWithout(NodeId node, UUID table) {
        Said last = said.get(node);
        return last != null && !last.goneBy().contains(table) && !last.hasLeft(table);
    }
}
