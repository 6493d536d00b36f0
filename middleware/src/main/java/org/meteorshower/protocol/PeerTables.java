/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What each node last said of its tables. A report names all that the node has enabled, so what it named before and does not
 * name any more it has given up: it takes mutations of that table which it tells nobody of.
 */
final class PeerTables {
    /** @param goneBy the names that the node goes by; those that it has left for another one are not among them */
    private record Said(long incarnation, long hlcMicros, Set<UUID> goneBy) {
        boolean isAfter(Message.Tables message) {
            return incarnation > message.incarnation()
                    || (incarnation == message.incarnation() && hlcMicros >= message.hlcMicros());
        }
    }

    private final Map<NodeId, Said> said = new HashMap<>();

    /** Takes a report in; returns what the node has given up since the one before, or null where a later one is known. */
    @Nullable
    Set<UUID> heard(NodeId from, Message.Tables message) {
        Said before = said.get(from);
        if (before != null && before.isAfter(message)) {
            return null;
        }
        Set<UUID> named = new HashSet<>();
        Set<UUID> goneBy = new HashSet<>();
        for (Message.TableReport report : message.tables()) {
            named.add(report.table());
            if (!report.left()) {
                goneBy.add(report.table());
            }
        }
        said.put(from, new Said(message.incarnation(), message.hlcMicros(), goneBy));
        Set<UUID> givenUp = before == null ? new HashSet<>() : new HashSet<>(before.goneBy());
        givenUp.removeAll(named);
        return givenUp;
    }

    /** Whether the node has said that it does not go by this name of a table (any more). False where it was not heard. */
    boolean isWithout(NodeId node, UUID table) {
        Said last = said.get(node);
        return last != null && !last.goneBy().contains(table);
    }
}
