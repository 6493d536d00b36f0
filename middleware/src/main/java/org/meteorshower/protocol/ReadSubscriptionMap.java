/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The reads that wait for a status message or a mutation (§4.2.2, readSubscriptionMap), and those whose store read is
 * under way. Bounded by {@link Settings#maxWaitingReads}.
 */
final class ReadSubscriptionMap {
    /** One client's read, from its start until it is answered. */
    static final class Subscription {
        final long readId;
        final PartitionKey key;
        final long row;

        /** No older cut will do; grows where {@link #ageUnknown} ends, and as what is {@link #due} becomes complete. */
        long oldestMicros;

        final long newestMicros;
        final ReadMode mode;

        /** The scan that it is part of, whose cut alone will do; 0 where it is none's. */
        final long scanId;

        final long startedNanos;
        final long deadlineNanos;
        boolean waited;

        /** Whether too few of the others' clocks are known to say how old a cut is; see {@link ReadBounds}. */
        boolean ageUnknown;

        /** What it waited for first, for people; null while it has not waited. */
        @Nullable
        Awaited awaited;

        /** Whether it is among those that wait; only this map changes it. */
        private boolean waits;

        /**
         * Of a strict read at home: what it has to show and is not known to be complete; null before this node held.
         */
        @Nullable
        List<MutationRecord> due;

        boolean pulled;
        boolean hasUrged;
        int attempts;

        /** The answer offered, and the key's version at that time; null while waiting. */
        Effect.@Nullable ReadAt offered;

        long versionOffered;

        Subscription(Event.ReadStarted read, long oldestMicros, long newestMicros, long nowNanos) {
            this.readId = read.readId();
            this.key = read.key();
            this.row = read.row();
            this.mode = read.mode();
            this.oldestMicros = oldestMicros;
            this.newestMicros = newestMicros;
            this.startedNanos = nowNanos;
            this.deadlineNanos = read.deadlineNanos();
            this.scanId = 0;
        }

        /** Of a whole partition, at a scan's cut. */
        Subscription(Event.PinnedReadStarted read, long cutMicros, long nowNanos) {
            this.readId = read.readId();
            this.key = read.key();
            this.row = Update.ANY_ROW;
            this.mode = ReadMode.SEQUENTIAL;
            this.oldestMicros = cutMicros;
            this.newestMicros = cutMicros;
            this.startedNanos = nowNanos;
            this.deadlineNanos = read.deadlineNanos();
            this.scanId = read.scanId();
        }
    }

    private final Map<Long, Subscription> all = new HashMap<>();
    private final Map<Long, Subscription> waiting = new LinkedHashMap<>();
    private final Map<PartitionKey, Set<Long>> waitingByKey = new HashMap<>();

    void add(Subscription read) {
        all.put(read.readId, read);
    }

    @Nullable
    Subscription get(long readId) {
        return all.get(readId);
    }

    void waits(Subscription read) {
        read.offered = null;
        if (!read.waits) {
            read.waits = true;
            waiting.put(read.readId, read);
            waitingByKey.computeIfAbsent(read.key, k -> new HashSet<>()).add(read.readId);
        }
    }

    void stopsWaiting(Subscription read) {
        if (read.waits) {
            read.waits = false;
            waiting.remove(read.readId);
            Set<Long> ofKey = waitingByKey.get(read.key);
            if (ofKey != null && ofKey.remove(read.readId) && ofKey.isEmpty()) {
                waitingByKey.remove(read.key);
            }
        }
    }

    void remove(Subscription read) {
        stopsWaiting(read);
        all.remove(read.readId);
    }

    List<Subscription> waiting() {
        return waiting.isEmpty() ? List.of() : new ArrayList<>(waiting.values());
    }

    List<Subscription> waitingFor(PartitionKey key) {
        Set<Long> ids = waitingByKey.get(key);
        if (ids == null) {
            return List.of();
        }
        List<Subscription> reads = new ArrayList<>(ids.size());
        for (Long id : ids) {
            Subscription read = waiting.get(id);
            if (read != null) {
                reads.add(read);
            }
        }
        return reads;
    }

    /** All reads of the table, those that began first before the others. */
    List<Subscription> of(UUID table) {
        return all.values().stream()
                .filter(read -> read.key.table().equals(table))
                .sorted(Comparator.comparingLong(read -> read.readId))
                .toList();
    }

    int waitingCount() {
        return waiting.size();
    }

    int size() {
        return all.size();
    }
}
