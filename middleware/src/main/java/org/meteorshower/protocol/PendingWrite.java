/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A write that began at this node and has its timestamp, until as many have applied it as it needs. */
final class PendingWrite {
    final long writeId;
    final long timestampMicros;
    final boolean strict;

    /** Whether it is acknowledged only once all who hold know of it, in one of its partitions. */
    final boolean atHome;

    final long startedNanos;

    /** Another node that sends the mutations; null where this one does. */
    final @Nullable NodeId coordinator;

    final Map<PartitionKey, Progress> progress = new LinkedHashMap<>();
    long tokenMicros;

    /** Whether a table of it has gone by another name since it began, or shortly before. */
    boolean moved;

    PendingWrite(Event.WriteStarted write, long timestampMicros, boolean strict, boolean atHome, long startedNanos) {
        this.atHome = atHome;
        this.writeId = write.writeId();
        this.coordinator = write.coordinator();
        this.timestampMicros = timestampMicros;
        this.strict = strict;
        this.startedNanos = startedNanos;
        write.keys().forEach(key -> progress.put(key, new Progress()));
    }

    /** How far it has come in the partition, by its present name or by the one before; null where it is in neither. */
    @Nullable
    Progress of(PartitionKey key) {
        Progress present = progress.get(key);
        if (present != null || !moved) {
            return present;
        }
        for (Progress each : progress.values()) {
            if (each.earlier != null && each.earlier.key.equals(key)) {
                return each.earlier.progress;
            }
        }
        return null;
    }

    /** A table goes by another name. Stamps by the one before do not count, but where all have them that stayed. */
    void moved(UUID from, UUID to, Function<PartitionKey, ReplicaGroup> groupOf) {
        Map<PartitionKey, Progress> before = new LinkedHashMap<>(progress);
        progress.clear();
        before.forEach((key, stamps) -> {
            if (key.table().equals(from)) {
                Progress anew = new Progress();
                anew.id = stamps.id;
                anew.earlier = new Earlier(key, groupOf.apply(key), stamps);
                stamps.earlier = null;
                progress.put(new PartitionKey(to, key.bytes()), anew);
                moved = true;
            } else {
                progress.put(key, stamps);
            }
        });
    }

    /** A replica that does not go by the present name yet may get it, and stamps it by the one before. */
    void mayBeStampedBy(UUID before, PartitionKey key, Function<PartitionKey, ReplicaGroup> groupOf) {
        Progress present = progress.get(key);
        if (present != null) {
            PartitionKey earlier = new PartitionKey(before, key.bytes());
            present.earlier = new Earlier(earlier, groupOf.apply(earlier), new Progress());
            moved = true;
        }
    }

    /** How far it has come in one of its partitions. */
    static final class Progress {
        private final Map<NodeId, Long> appliedMicros = new HashMap<>(4);

        /**
         * The mutation's name, known once this node has applied it: only then can announcements of it be recognized.
         */
        @Nullable
        MutationId id;

        private @Nullable Earlier earlier;

        /** Whether all who hold are known to know of it. */
        boolean complete;

        void count(NodeId replica, long micros) {
            appliedMicros.merge(replica, micros, Math::max);
        }

        void countIfAbsent(NodeId replica, long micros) {
            appliedMicros.putIfAbsent(replica, micros);
        }

        /** Whether enough of the partition's replicas have it. */
        boolean isAtQuorum(ReplicaGroup group) {
            int stamped = 0;
            for (NodeId replica : appliedMicros.keySet()) {
                if (group.contains(replica)) {
                    stamped++;
                }
            }
            return stamped >= group.writeQuorum();
        }

        /** Of those that count. */
        long[] stampsOf(ReplicaGroup group) {
            return appliedMicros.entrySet().stream()
                    .filter(each -> group.contains(each.getKey()))
                    .mapToLong(Map.Entry::getValue)
                    .toArray();
        }

        /** Who is known to have it, and how many have to. */
        String described(ReplicaGroup group) {
            List<NodeId> silent = new ArrayList<>(group.members());
            silent.removeAll(appliedMicros.keySet());
            String before = earlier == null
                    ? ""
                    : ", and by the table's name before the ring changed of "
                            + List.copyOf(earlier.progress.appliedMicros.keySet()) + " out of "
                            + earlier.group.members();
            return "it was known of " + (group.size() - silent.size()) + " of its " + group.size()
                    + " replicas that they had applied it, and " + group.writeQuorum() + " are needed; not of " + silent
                    + before;
        }

        /**
         * Whether all have it in their stores that hold the partition now and did so before, and these are enough.
         * Where none has stamped it by the present name, none does so once more ({@link CarryOver}), and each read
         * shows it; else who has it by the earlier name carries it over before anybody vouches. Where nobody has, it is
         * a mutation like any other.
         *
         * @param group who holds it now
         * @param follows who goes by the present name, and so has applied what it stamped by the one before
         * @param over whether nobody serves the table by the one before, as a replica knows that takes writes of it;
         *     else it must be visible by that name, too
         */
        boolean isAtAllThatStayed(ReplicaGroup group, Predicate<NodeId> follows, boolean over) {
            if (earlier == null) {
                return false;
            }
            int stayed = 0;
            int carriers = 0;
            for (NodeId member : earlier.group.members()) {
                if (!group.contains(member)) {
                    continue;
                }
                boolean carries = earlier.progress.appliedMicros.containsKey(member);
                boolean stamped = carries || appliedMicros.containsKey(member);
                if (!stamped || !follows.test(member)) {
                    return false;
                }
                stayed++;
                carriers += carries ? 1 : 0;
            }
            return carriers > 0
                    && stayed >= GroupChange.untilPlain(group)
                    && (over || stayed >= earlier.group.writeQuorum());
        }
    }

    /** What came by a partition's earlier name, of its replicas then. */
    private record Earlier(PartitionKey key, ReplicaGroup group, Progress progress) {}
}
