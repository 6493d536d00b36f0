/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is in flight in one partition. Lives while it has records. */
final class PartitionState {
    private final ReplicaGroup initialGroup;

    /** By timestamp, latest first: a read looks at the latest first, and stops caring below the first visible one. */
    private final List<MutationRecord> latestFirst = new ArrayList<>(2);

    /** Per shape, the largest timestamp among retired mutations that wrote just these cells. */
    private final Map<Long, Long> retiredByShape = new HashMap<>(2);

    /** Reads of this partition use cuts no older than this: mutations visible from then on are no longer told apart. */
    long floorMicros;

    @Nullable
    History history;

    PartitionState(ReplicaGroup group, long floorMicros) {
        this.initialGroup = group;
        this.floorMicros = floorMicros;
    }

    ReplicaGroup group() {
        return latestFirst.isEmpty() ? initialGroup : latestFirst.get(0).group();
    }

    List<MutationRecord> latestFirst() {
        return latestFirst;
    }

    @Nullable
    MutationRecord find(MutationId id) {
        for (MutationRecord record : latestFirst) {
            if (record.id.equals(id)) {
                return record;
            }
        }
        return null;
    }

    void add(MutationRecord record) {
        int at = 0;
        while (at < latestFirst.size() && latestFirst.get(at).id.compareTo(record.id) > 0) {
            at++;
        }
        latestFirst.add(at, record);
    }

    /** Whether a retired mutation wrote every cell of this one later: then no reader will ever need it again. */
    boolean isDominatedByRetired(MutationRecord record) {
        return !retiredByShape.isEmpty()
                && retiredByShape.getOrDefault(record.shape, Long.MIN_VALUE) > record.timestampMicros();
    }

    /** Takes the record out; what it wrote becomes part of the earlier content of the rows still in flight. */
    void retire(MutationRecord record, long visibleFromMicros) {
        latestFirst.remove(record);
        floorMicros = Math.max(floorMicros, visibleFromMicros);
        retiredByShape.merge(record.shape, record.oldestTimestampMicros, Math::max);
        if (history != null) {
            Collection<Update> remaining = new ArrayList<>(latestFirst.size());
            for (MutationRecord other : latestFirst) {
                if (other.update != null) {
                    remaining.add(other.update);
                }
            }
            if (remaining.isEmpty()) {
                history = null;
            } else if (record.update != null) {
                history = history.absorbing(record.update, remaining);
            }
        }
    }

    boolean isEmpty() {
        return latestFirst.isEmpty();
    }
}
