/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.smallscope;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.simulator.CellUpdate;

/**
 * Remembers, over a node's lives, what it stamped and what it promised. A status message promises that all that is
 * stamped later is stamped above its time.
 */
final class Witness {
    /** A mutation with the first stamp that this node gave it. */
    record Stamp(CellUpdate update, long appliedMicros) {}

    private final Map<Message.RetiredMutation, Stamp> stamps = new HashMap<>();
    private final Map<NodeId, Long> promisedMicros = new TreeMap<>();

    void told(NodeId peer, Message message) {
        if (message instanceof Message.StatusMessage status) {
            promisedMicros.merge(peer, status.msgTsMicros(), Math::max);
        } else if (message instanceof Message.Snapshot snapshot) {
            promisedMicros.merge(peer, snapshot.snapshotMicros(), Math::max);
        }
    }

    /** Returns which promise this breaks, described; null if none. */
    @Nullable
    String stamped(CellUpdate update, long appliedMicros) {
        stamps.putIfAbsent(new Message.RetiredMutation(update.key(), update.id()), new Stamp(update, appliedMicros));
        for (Map.Entry<NodeId, Long> promised : promisedMicros.entrySet()) {
            if (appliedMicros <= promised.getValue()) {
                return "stamped " + update + " at " + appliedMicros + ", after it had promised " + promised.getKey()
                        + " that it had told all up to " + promised.getValue();
            }
        }
        return null;
    }

    Map<Message.RetiredMutation, Stamp> stamps() {
        return Collections.unmodifiableMap(new LinkedHashMap<>(stamps));
    }
}
