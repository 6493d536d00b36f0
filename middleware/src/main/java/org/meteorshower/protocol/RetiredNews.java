/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Mutations that all replicas have, and peers that are to be told so at the end of the step. */
final class RetiredNews {
    private final LiveSettings settings;
    private final Turn turn;
    private final StatusMap statusMap;
    private final Map<NodeId, List<Message.RetiredMutation>> toTell = new TreeMap<>();

    RetiredNews(LiveSettings settings, Turn turn, StatusMap statusMap) {
        this.settings = settings;
        this.turn = turn;
        this.statusMap = statusMap;
    }

    /** @param mutation that is retired here */
    void add(NodeId peer, PartitionKey key, MutationId mutation) {
        toTell.computeIfAbsent(peer, each -> new ArrayList<>()).add(new Message.RetiredMutation(key, mutation));
    }

    /** To be called at the end of a step. */
    void tell() {
        if (toTell.isEmpty()) {
            return;
        }
        int most = settings.now().announcementsPerMessage();
        toTell.forEach((peer, mutations) -> {
            for (int from = 0; from < mutations.size(); from += most) {
                tell(peer, mutations.subList(from, Math.min(mutations.size(), from + most)));
            }
        });
        toTell.clear();
    }

    private void tell(NodeId peer, List<Message.RetiredMutation> mutations) {
        long byMicros = 0;
        for (Message.RetiredMutation mutation : mutations) {
            Long by = statusMap.retiredBy(mutation.key(), mutation.id());
            byMicros = Math.max(byMicros, by == null ? turn.clock.value() : by);
        }
        turn.send(peer, new Message.Retired(turn.tick(), List.copyOf(mutations), byMicros));
    }
}
