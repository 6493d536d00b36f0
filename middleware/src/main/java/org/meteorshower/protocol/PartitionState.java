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
        for (int i = 0; i < latestFirst.size(); i++) {
            MutationRecord record = latestFirst.get(i);
            if (record.id.equals(id)) {
                return record;
            } else if (record.timestampMicros() < id.timestampMicros()) {
                return null; // and so are all that follow
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
        Long retired = retiredByShape.isEmpty() ? null : retiredByShape.get(record.shape);
        record.dominatedByRetired = retired != null && retired > record.timestampMicros();
    }

    /** Takes the record out; what it wrote becomes part of the earlier content of the rows still in flight. */
    void retire(MutationRecord record, long visibleFromMicros) {
        latestFirst.remove(record);
        floorMicros = Math.max(floorMicros, visibleFromMicros);
        retiredByShape.merge(record.shape, record.oldestTimestampMicros, Math::max);
        for (MutationRecord other : latestFirst) {
            other.dominatedByRetired |=
                    other.shape == record.shape && record.oldestTimestampMicros > other.timestampMicros();
        }
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
