/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.PendingWrite.Progress;

/**
 * Gives writes their timestamps and gathers who has applied them (§4.2.2, write worker). The mutation itself travels by
 * the database's own path; this only decides its timestamp and when the session may go on.
 */
final class WriteWorker {
    private static final String HELD_ELSEWHERE =
            "writes of a table with strict=home begin at a node that holds a replica"
                    + " of the partition, and this one does not: send them to one that does";

    private final NodeId self;
    private final LiveSettings settings;
    private final Turn turn;
    private final StatusMap statusMap;
    private final Delays delays;
    private final Map<Long, PendingWrite> byId = new HashMap<>();
    private final Map<Long, PendingWrite> byTimestamp = new HashMap<>();
    private final CommitWait commitWait;

    /** Enough have stamped these, and somebody who holds may not. */
    private final Set<PendingWrite> waitingForHolders = new LinkedHashSet<>();

    private final Leases leases;
    private final Completeness completeness;
    private final TableStates tables;
    private long lastTimestampMicros;

    /** The largest timestamp of another node's that a write from here has. */
    private long takenMicros;

    private boolean someMoved;

    /** How many of those that are pending another node sends. */
    private int carried;

    WriteWorker(
            NodeId self,
            LiveSettings settings,
            Turn turn,
            StatusMap statusMap,
            Delays delays,
            CommitWait commitWait,
            TableStates tables,
            Leases leases,
            Completeness completeness,
            long floorMicros) {
        this.leases = leases;
        this.completeness = completeness;
        this.self = self;
        this.tables = tables;
        this.settings = settings;
        this.turn = turn;
        this.statusMap = statusMap;
        this.delays = delays;
        this.commitWait = commitWait;
        this.lastTimestampMicros = floorMicros;
    }

    /** @return false where it has to wait for a lease first */
    boolean started(Event.WriteStarted write) {
        if (turn.tooFarAhead(write.tokenMicros())) {
            refuse(write, Effect.Failure.BAD_TOKEN, turn.alarmOfTokenAhead(write.tokenMicros()));
            return true;
        }
        long leadMicros = 0;
        int atHome = 0;
        for (PartitionKey key : write.keys()) {
            ReplicaGroup group = statusMap.groupOf(key);
            if (group.strictAtHome()) {
                atHome++;
                // A timestamp above all that is complete can only be given by a node that holds.
                if (!group.contains(self)) {
                    refuse(write, Effect.Failure.NOT_A_REPLICA, HELD_ELSEWHERE);
                    return true;
                }
                leases.used(key.table());
                if (!leases.holds(group, key.table())) {
                    return false;
                }
            }
            leadMicros = Math.max(leadMicros, delays.leadMicros(group, self, leases.awaited(group, key.table())));
        }
        boolean byClocks = write.strict() && atHome < write.keys().size();
        String clocksApart = byClocks ? commitWait.clocksApart(write.keys()) : null;
        if (clocksApart != null) {
            refuse(write, Effect.Failure.CLOCK, clocksApart);
            return true;
        }
        begin(write, leadMicros, byClocks, atHome > 0);
        return true;
    }

    private void refuse(Event.WriteStarted write, Effect.Failure failure, String why) {
        turn.emit(new Effect.WriteRefused(write.writeId(), failure, why));
    }

    private void begin(Event.WriteStarted write, long leadMicros, boolean byClocks, boolean atHome) {
        turn.clock.raise(write.tokenMicros());
        // Clock rule 2: above the clock, the token, and every timestamp given or taken before.
        long timestamp = Math.max(turn.tick(), Math.max(lastTimestampMicros, takenMicros) + 1);
        if (settings.now().lead()) {
            // The lead uses the physical clock: from the hybrid one it would feed on itself.
            timestamp = Math.max(timestamp, turn.wallMicros() + leadMicros);
        }
        if (byClocks) {
            timestamp = Math.max(timestamp, turn.wallMicros() + settings.now().clockErrorMicros() + 1);
        }
        lastTimestampMicros = turn.clock.noted(timestamp);
        PendingWrite pending = new PendingWrite(write, timestamp, byClocks, atHome, turn.nanos());
        byId.put(write.writeId(), pending);
        byTimestamp.put(timestamp, pending);
        write.keys().forEach(key -> awaitEarlierName(pending, key));
        carried += pending.coordinator == null ? 0 : 1;
        turn.emit(new Effect.WriteStamped(write.writeId(), timestamp));
    }

    /** Where this node holds none of it: else the write waited until all who hold go by the present name. */
    private void awaitEarlierName(PendingWrite write, PartitionKey key) {
        UUID before = tables.moves.nameBefore(key.table());
        if (before != null && !statusMap.groupOf(key).contains(self)) {
            write.mayBeStampedBy(before, key, statusMap::groupOf);
            someMoved = true;
        }
    }

    /** A write from here gets this timestamp, which another node gave: none that is given here is the same. */
    void taken(long timestampMicros) {
        takenMicros = Math.max(takenMicros, turn.clock.noted(timestampMicros));
    }

    long lastTimestampMicros() {
        return lastTimestampMicros;
    }

    /** A replica has acknowledged one partition of a write that began here. */
    void acknowledged(NodeId replica, PartitionKey key, long timestampMicros, long appliedMicros) {
        PendingWrite write = byTimestamp.get(timestampMicros);
        Progress progress = write == null ? null : write.of(key);
        if (write != null && progress != null) {
            progress.count(replica, appliedMicros);
            completeIfDone(write);
        }
    }

    /**
     * This node has applied one partition of a write, which may have begun here.
     *
     * @param coordinator who sent it; null for this node
     * @param record with what others have announced of it already; null when it is done with
     */
    void appliedHere(
            @Nullable NodeId coordinator,
            PartitionKey key,
            MutationId id,
            long appliedMicros,
            @Nullable MutationRecord record) {
        PendingWrite write = byTimestamp.get(id.timestampMicros());
        Progress progress = write == null ? null : write.of(key);
        // Another node's own write may have the very same timestamp.
        if (write == null || progress == null || !Objects.equals(coordinator, write.coordinator)) {
            return;
        }
        if (progress.id != null && !progress.id.equals(id)) {
            // Two nodes have given their writes the same timestamp, and one of these was brought by a peer: which of
            // them others have stamped is not told apart any more.
            lose(write);
            return;
        }
        progress.id = id;
        progress.count(self, appliedMicros);
        for (int i = 0; record != null && i < record.group().size(); i++) {
            if (record.isAppliedAt(i)) {
                progress.count(record.group().members().get(i), record.appliedAt(i));
            }
        }
        completeIfDone(write);
    }

    /**
     * A replica has announced a mutation, which may be of a write that began here. This node can tell once it has
     * applied the mutation itself: until then it does not know its id.
     */
    void announced(NodeId replica, PartitionKey key, MutationId id, long appliedMicros) {
        PendingWrite write = byTimestamp.get(id.timestampMicros());
        Progress progress = write == null ? null : write.of(key);
        if (write != null && progress != null && id.equals(progress.id)) {
            progress.count(replica, appliedMicros);
            completeIfDone(write);
        }
    }

    /**
     * A mutation is done with: from this cut on all replicas show it, or something later in its place. Then that holds
     * for as many of them as a write needs.
     */
    void doneWith(PartitionKey key, MutationId id, long visibleFromMicros) {
        PendingWrite write = byTimestamp.get(id.timestampMicros());
        Progress progress = write == null ? null : write.of(key);
        if (write != null && progress != null && id.equals(progress.id)) {
            statusMap.groupOf(key).members().forEach(member -> progress.countIfAbsent(member, visibleFromMicros));
            progress.complete = true; // else it would not have been retired
            completeIfDone(write);
        }
    }

    /** Whether all who hold know of it, where they are to. */
    private boolean isComplete(PartitionKey key, Progress progress) {
        if (progress.complete || !statusMap.groupOf(key).strictAtHome()) {
            return true;
        }
        MutationRecord record = progress.id == null ? null : statusMap.find(key, progress.id);
        progress.complete = record != null && completeness.isComplete(record);
        return progress.complete;
    }

    private boolean isComplete(PendingWrite write) {
        return write.progress.entrySet().stream().allMatch(each -> isComplete(each.getKey(), each.getValue()));
    }

    /** Word has come of what others have stamped, which may complete what waits for those who hold. */
    void wake() {
        if (!waitingForHolders.isEmpty()) {
            List<PendingWrite> waiting = List.copyOf(waitingForHolders);
            waitingForHolders.clear();
            waiting.stream().filter(write -> byId.get(write.writeId) == write).forEach(this::completeIfDone);
        }
    }

    private boolean isHeld(PartitionKey key) {
        return tables.moves.isHeld(key.table()) && statusMap.groupOf(key).contains(self);
    }

    private boolean isDone(PartitionKey key, Progress progress) {
        ReplicaGroup group = statusMap.groupOf(key);
        return progress.isAtQuorum(group)
                || progress.isAtAllThatStayed(
                        group,
                        member -> member.equals(self) || tables.hasReported(member, key.table()),
                        group.contains(self));
    }

    private void completeIfDone(PendingWrite write) {
        if (write.moved && write.progress.keySet().stream().anyMatch(this::isHeld)) {
            return; // some node may serve the table still, under the name by which the stamps do not count
        }
        for (Map.Entry<PartitionKey, Progress> entry : write.progress.entrySet()) {
            if (!isDone(entry.getKey(), entry.getValue())) {
                return;
            }
        }
        if (write.atHome && !isComplete(write)) {
            waitingForHolders.add(write);
            return;
        }
        complete(write);
    }

    /**
     * The session's token becomes the latest of the w earliest stamps: from that cut on the write is visible, or
     * something later in its place.
     */
    private void complete(PendingWrite write) {
        forget(write);
        long token = 0;
        for (Map.Entry<PartitionKey, Progress> entry : write.progress.entrySet()) {
            ReplicaGroup group = statusMap.groupOf(entry.getKey());
            long[] stamps = entry.getValue().stampsOf(group);
            if (stamps.length >= group.writeQuorum()) {
                token = Math.max(token, Order.smallest(stamps, group.writeQuorum()));
            }
        }
        // What was read under the earlier name meanwhile did not show it. What is at all that stayed is in their
        // stores.
        write.tokenMicros = write.moved ? Math.max(token, turn.tick()) : token;
        token = write.tokenMicros;
        if (!write.strict || !commitWait.begins(write)) {
            turn.emit(new Effect.WriteDone(write.writeId, token));
        }
    }

    /**
     * A table goes by another name here: its replicas stamp under that what is still to come, and once more what they
     * stamped under the earlier one.
     */
    void moved(UUID from, UUID to) {
        for (PendingWrite write : byId.values()) {
            write.moved(from, to, statusMap::groupOf);
        }
        someMoved = true;
    }

    /** A table is not held any more. */
    void released() {
        if (someMoved) {
            List<PendingWrite> moved =
                    byId.values().stream().filter(write -> write.moved).toList();
            someMoved = !moved.isEmpty();
            moved.stream()
                    .sorted(Comparator.comparingLong(write -> write.writeId))
                    .forEach(this::completeIfDone);
        }
    }

    /** The stamps that are still to come count for nobody, and what is known of the table's replicas is dropped. */
    void failAll(UUID table) {
        List<PendingWrite> failed = byId.values().stream()
                .filter(write -> write.progress.keySet().stream()
                        .anyMatch(key -> key.table().equals(table)))
                .sorted(Comparator.comparingLong(write -> write.writeId))
                .toList();
        failed.forEach(this::lose);
    }

    /** What becomes of it is not known. */
    private void lose(PendingWrite write) {
        forget(write);
        turn.emit(new Effect.WriteLost(write.writeId));
    }

    void tick() {
        commitWait.tick(write -> turn.emit(new Effect.WriteDone(write.writeId, write.tokenMicros)));
    }

    /** Whether some write that began here is sent by another node. */
    boolean isAnyCarried() {
        return carried > 0;
    }

    /** Whether some strict write is done but for the time that has to pass. */
    boolean isAnyWaitingForClock() {
        return commitWait.count() > 0;
    }

    /** What keeps a write from being acknowledged, in words; null where it is not under way. */
    @Nullable
    String whyPending(long writeId) {
        PendingWrite write = byId.get(writeId);
        if (write == null) {
            return commitWait.isWaiting(writeId) ? "it is strict, and its stamps have not passed on all clocks" : null;
        }
        if (write.moved && write.progress.keySet().stream().anyMatch(this::isHeld)) {
            return "the table's partitions move between nodes";
        }
        for (Map.Entry<PartitionKey, Progress> each : write.progress.entrySet()) {
            if (!isDone(each.getKey(), each.getValue())) {
                return each.getValue().described(statusMap.groupOf(each.getKey()));
            }
        }
        return "somebody who holds a lease is not known to know of it";
    }

    void abandoned(long writeId) {
        PendingWrite write = byId.get(writeId);
        if (write != null) {
            forget(write);
        }
        commitWait.abandoned(writeId);
    }

    private void forget(PendingWrite write) {
        if (byId.remove(write.writeId) != null && write.coordinator != null) {
            carried--;
        }
        byTimestamp.remove(write.timestampMicros);
        waitingForHolders.remove(write);
    }

    int pendingCount() {
        return byId.size() + commitWait.count();
    }
}
