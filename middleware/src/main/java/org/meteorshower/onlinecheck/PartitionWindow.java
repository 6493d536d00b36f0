/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.ReplicaGroup;

/**
 * What is remembered of one partition: its latest mutations, of older ones what they left, and what reads have shown.
 */
final class PartitionWindow {
    /** Reads at this cut or later show this version, or a later one. */
    record Floor(Version version, long fromMicros) {}

    final PartitionKey key;
    private final int maxCells;
    private final TreeMap<MutationId, TrackedMutation> mutations = new TreeMap<>();
    private final Map<CellName, Floor> floors = new HashMap<>();
    private final Map<CellName, Shown> shown = new HashMap<>();

    /** Of mutations with later timestamps the first stamps are known; of earlier ones perhaps only repeated ones. */
    private long forgottenUpToMicros;

    /** Absent cells with timestamps up to this one may have been deleted, or have expired. */
    private long hidesUpToMicros = WrittenCells.HIDES_NOTHING;

    private long newestMicros = Long.MIN_VALUE;
    private @Nullable ReplicaGroup group;
    boolean dropped;

    /** @param unseenUpToMicros see {@link Observation.Unseen} */
    PartitionWindow(PartitionKey key, long unseenUpToMicros, int maxCells) {
        this.key = key;
        this.maxCells = maxCells;
        this.forgottenUpToMicros = unseenUpToMicros;
        this.hidesUpToMicros = unseenUpToMicros;
    }

    /** Whether the partition has these replicas; the first time decides. */
    boolean belongsTo(ReplicaGroup replicas) {
        if (group == null) {
            group = replicas;
        }
        return group.equals(replicas);
    }

    @Nullable
    TrackedMutation find(MutationId id) {
        return mutations.get(id);
    }

    TrackedMutation track(MutationId id, ReplicaGroup group) {
        TrackedMutation made = new TrackedMutation(id, group);
        mutations.put(id, made);
        newestMicros = Math.max(newestMicros, id.timestampMicros());
        return made;
    }

    void written(TrackedMutation mutation, WrittenCells cells) {
        mutation.written = cells;
        hidesUpToMicros = Math.max(hidesUpToMicros, cells.hidesUpToMicros());
    }

    /** Its acknowledgement names a write by its timestamp alone. */
    void acknowledged(long timestampMicros, long tokenMicros) {
        var named = mutations.subMap(first(timestampMicros), first(timestampMicros + 1));
        if (named.size() == 1) { // else it is not told which of them
            TrackedMutation only = named.values().iterator().next();
            only.tokenMicros = Math.min(only.tokenMicros, tokenMicros);
        }
    }

    private static MutationId first(long timestampMicros) {
        return new MutationId(timestampMicros, Long.MIN_VALUE);
    }

    void unseen(long upToMicros) {
        forgottenUpToMicros = Math.max(forgottenUpToMicros, upToMicros);
        hidesUpToMicros = Math.max(hidesUpToMicros, upToMicros);
        shown.clear();
    }

    /** Only what it left is remembered from now on. */
    void fold(TrackedMutation mutation) {
        if (mutations.remove(mutation.id) == null) {
            return;
        }
        forgottenUpToMicros = Math.max(forgottenUpToMicros, mutation.id.timestampMicros());
        long fromMicros = mutation.visibleFromMicros();
        WrittenCells written = mutation.written;
        if (written == null || fromMicros == Long.MAX_VALUE) {
            return;
        }
        written.cells().forEach((cell, version) -> {
            Floor floor = floors.get(cell);
            if (floor == null || floor.version.timestampMicros() < version.timestampMicros()) {
                floors.put(cell, new Floor(version, fromMicros));
            } else if (floor.version.equals(version)) {
                floors.put(cell, new Floor(version, Math.min(floor.fromMicros, fromMicros)));
            }
        });
        if (floors.size() > maxCells) {
            floors.clear(); // too wide to be remembered
        }
    }

    /** Those with timestamps up to this one, the earliest first. */
    List<TrackedMutation> mutationsUpTo(long timestampMicros) {
        return new ArrayList<>(mutations.headMap(first(timestampMicros + 1)).values());
    }

    Map<CellName, Floor> floors() {
        return floors;
    }

    /** What reads have shown of the cell so far; made at its first time. */
    @Nullable
    Shown shown(CellName cell) {
        return shown.get(cell);
    }

    void show(CellName cell, Shown now) {
        if (shown.size() >= maxCells && !shown.containsKey(cell)) {
            shown.clear();
        }
        shown.put(cell, now);
    }

    boolean knowsFirstStamps(TrackedMutation mutation) {
        return mutation.id.timestampMicros() > forgottenUpToMicros;
    }

    /** Whether at this cut, for certain, some cell of the mutation shows neither what it wrote nor anything later. */
    boolean isHiddenAt(TrackedMutation mutation, long cutMicros) {
        WrittenCells written = mutation.written;
        if (written == null
                || !mutation.isInvisibleAt(cutMicros)
                || !knowsFirstStamps(mutation)
                || mayBeHidden(mutation.id.timestampMicros())) {
            return false;
        }
        return written.cells().keySet().stream()
                .anyMatch(cell -> mutations.tailMap(first(mutation.id.timestampMicros())).values().stream()
                        .allMatch(other -> other.written != null
                                && (!other.written.cells().containsKey(cell) || other.isInvisibleAt(cutMicros))));
    }

    /** Whether a cell with this timestamp may be absent although it was written. */
    boolean mayBeHidden(long timestampMicros) {
        return timestampMicros <= hidesUpToMicros;
    }

    long newestMicros() {
        return newestMicros;
    }
}
