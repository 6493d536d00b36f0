/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Per key and peer, what that peer has reported (§4.2.2, statusMap): the records of all mutations in flight.
 *
 * <p>Also counts, per stripe of keys, the times that something entered a partition, so that a read can tell whether the
 * store changed under it.
 */
final class StatusMap {
    private static final int STRIPES = 4096;
    private static final int MOST_REMEMBERED = 65_536;

    /** What is remembered may take this part of what records may. */
    private static final int REMEMBERED_PART = 16;

    private final NodeId self;
    private final Placement placement;
    private final LiveSettings settings;
    private final KeptBytes kept = new KeptBytes();
    private final Pins pins;
    private final Map<PartitionKey, PartitionState> partitions = new HashMap<>();
    private final long[] versions = new long[STRIPES];
    private int records;

    /** Since they were last taken: a key for each record that began, and for each that is gone. */
    private List<PartitionKey> stirred = new ArrayList<>();

    private List<PartitionKey> settled = new ArrayList<>();
    private boolean contentUnknown;

    /** Reads of partitions without a state use cuts no older than this. */
    private long floorMicros;

    /**
     * Mutations retired of late and when they were visible everywhere: late copies of them are no news. Bounded in
     * bytes, too.
     */
    private final Map<Message.RetiredMutation, Long> retiredOfLate = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Message.RetiredMutation, Long> eldest) {
            return size() > mostRemembered();
        }
    };

    StatusMap(NodeId self, Placement placement, LiveSettings settings, Pins pins, long floorMicros) {
        this.pins = pins;
        this.self = self;
        this.placement = placement;
        this.settings = settings;
        this.floorMicros = floorMicros;
    }

    private int mostRemembered() {
        long fitting = settings.now().recordsBytes() / REMEMBERED_PART / Footprint.REMEMBERED;
        return (int) Math.min(MOST_REMEMBERED, fitting);
    }

    /** As {@link Placement#bucketOf}. */
    int bucketOf(PartitionKey key) {
        return placement.bucketOf(key);
    }

    /** As {@link Placement#groupsOf}. */
    Set<ReplicaGroup> groupsOf(UUID table) {
        return placement.groupsOf(table);
    }

    ReplicaGroup groupOf(PartitionKey key) {
        return groupOf(key, partitions.get(key));
    }

    /** @param state as of {@link #state}, for whoever has it at hand */
    ReplicaGroup groupOf(PartitionKey key, @Nullable PartitionState state) {
        return state != null ? state.group() : placement.replicasOf(key);
    }

    @Nullable
    PartitionState state(PartitionKey key) {
        return partitions.get(key);
    }

    PartitionState stateOrNew(PartitionKey key) {
        return partitions.computeIfAbsent(
                key, k -> new PartitionState(placement.replicasOf(k), pins.floorOf(k, floorMicros), kept));
    }

    @Nullable
    MutationRecord find(PartitionKey key, MutationId id) {
        PartitionState state = partitions.get(key);
        return state == null ? null : state.find(id);
    }

    /** The record of what is announced, made if it is new; null where this node holds no replica of the key. */
    @Nullable
    MutationRecord record(Announcement announced, long nowNanos) {
        PartitionState before = partitions.get(announced.key());
        MutationRecord known = before == null ? null : before.find(announced.id());
        if (known != null) {
            return known;
        }
        ReplicaGroup group = groupOf(announced.key(), before);
        if (!group.contains(self)) {
            return null;
        }
        MutationRecord record = new MutationRecord(announced, group, nowNanos);
        PartitionState state = stateOrNew(announced.key());
        state.add(record);
        records++;
        stirred.add(record.key);
        pins.stirred(record.key, state.latestFirst().size());
        return record;
    }

    /** @param byMicros by when all replicas had it, or null where one was left behind without it */
    void retire(MutationRecord record, long visibleFromMicros, @Nullable Long byMicros) {
        PartitionState state = partitions.get(record.key);
        if (state == null || state.find(record.id) != record) {
            return;
        }
        state.retire(record, visibleFromMicros);
        left(record);
        if (byMicros != null) {
            retiredOfLate.put(new Message.RetiredMutation(record.key, record.id), byMicros);
        }
        if (state.isEmpty()) {
            partitions.remove(record.key);
            floorMicros = Math.max(floorMicros, state.floorMicros);
        }
    }

    /** From now on the journal alone has the content of this record, and reads of its partition use no older cut. */
    void sink(MutationRecord record, long visibleFromMicros) {
        PartitionState state = record.partition;
        if (state != null) {
            state.sink(record, visibleFromMicros);
        }
    }

    /** By when a mutation retired of late was applied everywhere, or null where it is not remembered. */
    @Nullable
    Long retiredBy(PartitionKey key, MutationId id) {
        return retiredOfLate.get(new Message.RetiredMutation(key, id));
    }

    long floorOf(PartitionKey key) {
        return floorOf(partitions.get(key));
    }

    /** Of partitions in which nothing is in flight. */
    long floorAtRest() {
        return floorMicros;
    }

    long floorOf(@Nullable PartitionState state) {
        return state != null ? state.floorMicros : floorMicros;
    }

    /**
     * Those of the scan's range of which the store's content is not the answer at this cut, or may be no longer without
     * anything new: something is in flight there that is not in the store, or not visible.
     */
    List<PartitionState> unsettledIn(ScanRange range, long cutMicros) {
        List<PartitionState> states = new ArrayList<>();
        partitions.forEach((key, state) -> {
            // The range last: it takes a hash of the key, and most of what a silent peer lacks is settled.
            if (key.table().equals(range.table()) && !state.isSettledAt(cutMicros) && range.contains(key)) {
                states.add(state);
            }
        });
        return states;
    }

    long versionOf(PartitionKey key) {
        return versions[key.hashCode() & (STRIPES - 1)];
    }

    /** To be called whenever a mutation is stamped, and again when it is in the store. */
    void changed(PartitionKey key) {
        versions[key.hashCode() & (STRIPES - 1)]++;
    }

    int size() {
        return records;
    }

    /** All records, and all that they keep on the heap. */
    Load load() {
        return new Load(records, kept.total());
    }

    KeptBytes kept() {
        return kept;
    }

    long rememberedBytes() {
        return (long) Footprint.REMEMBERED * retiredOfLate.size();
    }

    List<MutationRecord> all() {
        List<MutationRecord> all = new ArrayList<>(records);
        for (PartitionState state : partitions.values()) {
            all.addAll(state.latestFirst());
        }
        return all;
    }

    /**
     * What this node has stamped of the table up to here is in its store: all that it has stamped by {@code nowMicros},
     * or up to what is on its way.
     */
    long storedMicros(UUID table, long nowMicros) {
        long stored = nowMicros;
        for (Map.Entry<PartitionKey, PartitionState> each : partitions.entrySet()) {
            if (each.getKey().table().equals(table)) {
                for (MutationRecord record : each.getValue().latestFirst()) {
                    if (record.local == MutationRecord.Local.APPLYING) {
                        stored =
                                Math.min(stored, record.appliedAt(record.group().indexOf(self)) - 1);
                    }
                }
            }
        }
        return stored;
    }

    /** A new stream of the peer's begins, whose snapshot names all that it has stamped and not retired. */
    void toBeToldAnewBy(NodeId peer) {
        for (PartitionState state : partitions.values()) {
            int member = state.group().indexOf(peer);
            if (member >= 0) {
                state.latestFirst().forEach(record -> record.toBeToldAnewBy(member));
            }
        }
    }

    /** The peer is in another life, and must be told again of all that it did not stamp before. */
    void toBeAcknowledgedAnewBy(NodeId peer) {
        for (PartitionState state : partitions.values()) {
            int member = state.group().indexOf(peer);
            if (member >= 0) {
                state.latestFirst().forEach(record -> record.toBeAcknowledgedAnewBy(member));
            }
        }
    }

    /** How many mutations that were known here by then are so by what others tell alone; counted up to a limit. */
    int lacking(int limit, long byNanos) {
        int lacking = 0;
        for (PartitionState state : partitions.values()) {
            for (MutationRecord record : state.latestFirst()) {
                if (record.local == MutationRecord.Local.ABSENT
                        && record.createdNanos - byNanos <= 0
                        && ++lacking >= limit) {
                    return lacking;
                }
            }
        }
        return lacking;
    }

    /** What others have announced of the table, and is not stamped here, may be in the store. */
    void mayBeInStore(UUID table) {
        for (MutationRecord record : all()) {
            if (record.key.table().equals(table) && record.local == MutationRecord.Local.ABSENT) {
                record.maybeInStore = true;
            }
        }
    }

    private void left(MutationRecord record) {
        records--;
        settled.add(record.key);
    }

    /** A key for each record that began since this was last asked. */
    List<PartitionKey> takeStirred() {
        if (stirred.isEmpty()) {
            return List.of(); // as in most steps
        }
        List<PartitionKey> taken = stirred;
        stirred = new ArrayList<>();
        return taken;
    }

    /** A key for each record that is gone since this was last asked. */
    List<PartitionKey> takeSettled() {
        if (settled.isEmpty()) {
            return List.of(); // as in most steps
        }
        List<PartitionKey> taken = settled;
        settled = new ArrayList<>();
        return taken;
    }

    /** Whether some store's content may have changed unannounced since this was last asked. */
    boolean takeContentUnknown() {
        boolean taken = contentUnknown;
        contentUnknown = false;
        return taken;
    }

    /** Returns what is dropped. */
    List<MutationRecord> dropTable(UUID table) {
        contentUnknown = true; // mutations of it are not announced from here on
        List<MutationRecord> dropped = new ArrayList<>();
        partitions.entrySet().removeIf(entry -> {
            if (!entry.getKey().table().equals(table)) {
                return false;
            }
            dropped.addAll(entry.getValue().latestFirst());
            entry.getValue().forgotten();
            return true;
        });
        dropped.forEach(this::left);
        return dropped;
    }

    /** The store's content changed unannounced: no reading of it from before counts, nor the history taken from one. */
    void contentUnknown(UUID table) {
        contentUnknown = true;
        for (int i = 0; i < versions.length; i++) {
            versions[i]++;
        }
        partitions.forEach((key, state) -> {
            if (key.table().equals(table)) {
                state.contentUnknown();
            }
        });
        pins.loseAll(table, "data that nobody has announced may have come into the table's store here");
    }

    /**
     * After a change of the ring. Partitions that moved away from this node are forgotten; returns what was in flight.
     */
    List<MutationRecord> regroup() {
        List<MutationRecord> dropped = new ArrayList<>();
        partitions.entrySet().removeIf(entry -> {
            ReplicaGroup group = placement.replicasOf(entry.getKey());
            Collection<MutationRecord> inFlight = entry.getValue().latestFirst();
            if (!group.contains(self)) {
                dropped.addAll(inFlight);
                entry.getValue().forgotten();
                return true;
            }
            inFlight.forEach(record -> record.regroup(group));
            return false;
        });
        dropped.forEach(this::left);
        return dropped;
    }
}
