/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * Baselines that an operator has confirmed, until they count: once this node has stamped all that others had announced
 * by then. A node without a baseline may have lost its journal: what it stamped and forgot is among that, and from the
 * confirmation on it vouches for all.
 */
final class Baselines {
    private final Turn turn;
    private final StatusMap statusMap;
    private final TableStates tables;

    /** By table, when it was confirmed, on the scale of elapsed time. */
    private final Map<UUID, Long> confirmingNanos = new HashMap<>();

    Baselines(Turn turn, StatusMap statusMap, TableStates tables) {
        this.turn = turn;
        this.statusMap = statusMap;
        this.tables = tables;
    }

    void confirmed(UUID table) {
        confirmingNanos.put(table, turn.nanos());
        confirmWhatIsSettled();
    }

    /** The table is disabled: nothing is to be confirmed of it. */
    void forget(UUID table) {
        confirmingNanos.remove(table);
    }

    void confirmWhatIsSettled() {
        confirmingNanos.entrySet().removeIf(confirming -> {
            boolean settled = statusMap.all().stream()
                    .noneMatch(record -> record.key.table().equals(confirming.getKey())
                            && record.local == MutationRecord.Local.ABSENT
                            && record.createdNanos - confirming.getValue() <= 0);
            if (settled) {
                tables.confirmBaseline(confirming.getKey());
            }
            return settled;
        });
    }
}
