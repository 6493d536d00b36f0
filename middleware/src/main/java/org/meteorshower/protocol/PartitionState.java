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

    /**
     * Per shape, the largest timestamp among retired mutations that wrote just these cells. Most partitions never have
     * one.
     */
    private Map<Long, Long> retiredByShape = Map.of();

    private final KeptBytes kept;

    /** Reads of this partition use cuts no older than this: mutations visible from then on are no longer told apart. */
    long floorMicros;

    private @Nullable History history;

    /** @param kept told what is kept here from now on, and what no longer is */
    PartitionState(ReplicaGroup group, long floorMicros, KeptBytes kept) {
        this.initialGroup = group;
        this.floorMicros = floorMicros;
        this.kept = kept;
    }

    @Nullable
    History history() {
        return history;
    }

    void history(@Nullable History changed) {
        kept.histories((changed == null ? 0 : changed.sizeBytes()) - (history == null ? 0 : history.sizeBytes()));
        history = changed;
    }

    /** The content of a record of this partition comes onto the heap, or goes. */
    void content(MutationRecord record, @Nullable Update content) {
        kept.data(-record.dataBytes());
        record.update(content);
        kept.data(record.dataBytes());
    }

    /** Of a partition in which something is in flight. */
    PartitionKey key() {
        return latestFirst.get(0).key;
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
        record.partition = this;
        kept.index(Footprint.indexBytes(record.key));
    }

    /** It is no longer this partition's: nothing of it is kept. */
    private void left(MutationRecord record) {
        content(record, null);
        record.partition = null;
        kept.index(-Footprint.indexBytes(record.key));
    }

    /** The partition is forgotten with all that is in flight in it. */
    void forgotten() {
        latestFirst.forEach(this::left);
        history(null);
    }

    /**
     * The content of a record leaves the heap; the journal has it. For readers here that is retiring: it becomes part
     * of the earlier content of the rows still in flight, and no older cut is used. But peers lack it, so nothing that
     * it overwrites is done with.
     */
    void sink(MutationRecord record, long visibleFromMicros) {
        floorMicros = Math.max(floorMicros, visibleFromMicros);
        Update content = record.update();
        record.sink();
        content(record, null);
        absorb(content);
    }

    /** Takes the record out; what it wrote becomes part of the earlier content of the rows still in flight. */
    void retire(MutationRecord record, long visibleFromMicros) {
        latestFirst.remove(record);
        Update content = record.update();
        left(record);
        floorMicros = Math.max(floorMicros, visibleFromMicros);
        if (latestFirst.isEmpty()) {
            history(null); // and with it goes the partition's state
            return;
        }
        if (retiredByShape.isEmpty()) {
            retiredByShape = new HashMap<>(2);
        }
        retiredByShape.merge(record.shape, record.oldestTimestampMicros, Math::max);
        for (MutationRecord other : latestFirst) {
            other.dominatedByRetired |=
                    other.shape == record.shape && record.oldestTimestampMicros > other.timestampMicros();
        }
        absorb(content);
    }

    /** What is visible at every cut from now on becomes part of the history, for the rows that still need one. */
    private void absorb(@Nullable Update content) {
        History before = history;
        if (before == null) {
            return;
        }
        Collection<Update> remaining = new ArrayList<>(latestFirst.size());
        for (MutationRecord other : latestFirst) {
            Update update = other.update();
            if (update != null) {
                remaining.add(update);
            }
        }
        if (remaining.isEmpty()) {
            history(null);
        } else if (content != null) {
            history(before.absorbing(content, remaining));
        }
    }

    /**
     * Nothing but names and stamps stays on the heap. Without history no answer is put together from contents, so none
     * of them is needed: reads wait for what is in flight.
     */
    void shed() {
        contentUnknown();
        for (MutationRecord record : latestFirst) {
            if (record.local != MutationRecord.Local.ABSENT) {
                content(record, null);
            }
        }
    }

    /** What the rows held before is not known any more. */
    void contentUnknown() {
        history(null);
        latestFirst.forEach(record -> record.coveredByHistory = false);
    }

    boolean isEmpty() {
        return latestFirst.isEmpty();
    }

    /**
     * Whether all that is in flight is in the store, and visible at the cut: then the store's content is the answer, as
     * of a partition at rest, until something else comes.
     */
    boolean isSettledAt(long cutMicros) {
        if (floorMicros > cutMicros) {
            return false;
        }
        for (int i = 0; i < latestFirst.size(); i++) {
            MutationRecord record = latestFirst.get(i);
            if (record.local != MutationRecord.Local.APPLIED || record.visibleFromMicros() > cutMicros) {
                return false;
            }
        }
        return true;
    }
}
