/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Baselines that were confirmed, until they count: once this node has stamped all that others had announced by then. A
 * node without a baseline may have lost its journal: what it stamped and forgot is among that, and from the
 * confirmation on it vouches for all. What a node with a baseline calls done with is in what has been repaired: it is
 * not waited for.
 */
final class Baselines {
    private final Turn turn;
    private final StatusMap statusMap;
    private final TableStates tables;

    /** By table, when it was confirmed, on the scale of elapsed time. */
    private final Map<UUID, Long> confirmingNanos = new HashMap<>();

    /** Those to be confirmed once all others have been heard. */
    private final Set<UUID> closed = new HashSet<>();

    Baselines(Turn turn, StatusMap statusMap, TableStates tables) {
        this.turn = turn;
        this.statusMap = statusMap;
        this.tables = tables;
    }

    void confirmed(UUID table) {
        begin(table);
        confirmWhatIsSettled();
    }

    private void begin(UUID table) {
        if (closed.contains(table) || (tables.filling.isFilledByNodes(table) && confirmingNanos.containsKey(table))) {
            return; // to begin anew at each look would be never to end
        }
        if (tables.close(table)) {
            closed.add(table);
        } else {
            confirmingNanos.put(table, turn.nanos());
        }
    }

    /** The table is disabled: nothing is to be confirmed of it. */
    void forget(UUID table) {
        confirmingNanos.remove(table);
        closed.remove(table);
    }

    private boolean isHeardOf(UUID table) {
        if (!tables.filling.areAllHeardSince(table)) {
            return false;
        }
        confirmingNanos.put(table, turn.nanos());
        return true;
    }

    void confirmWhatIsSettled() {
        tables.filling.filled().forEach(this::begin);
        closed.removeIf(this::isHeardOf);
        confirmingNanos.entrySet().removeIf(confirming -> {
            boolean settled = statusMap.all().stream()
                    .noneMatch(record -> record.key.table().equals(confirming.getKey())
                            && record.local == MutationRecord.Local.ABSENT
                            && !record.isToldEverywhere()
                            && record.createdNanos - confirming.getValue() <= 0
                            && !isForgotten(record));
            if (settled) {
                tables.confirmBaseline(confirming.getKey());
            }
            return settled;
        });
    }

    /**
     * Whether all who had stamped it have forgotten it, and have repaired what they held since: then it is in all
     * stores or in none, nobody can pass it on, and who has forgotten it may wait for this node in turn. Should it come
     * once more, by a hint, it is stamped as if it were new.
     */
    private boolean isForgotten(MutationRecord record) {
        boolean stamped = false;
        for (int i = 0; i < record.group().size(); i++) {
            if (record.isAppliedAt(i)) {
                stamped = true;
                NodeId member = record.group().members().get(i);
                if (!record.isHeldNoMoreBy(i) || !tables.filling.isRepairedAt(member, record.key.table())) {
                    return false;
                }
            }
        }
        return stamped;
    }
}
