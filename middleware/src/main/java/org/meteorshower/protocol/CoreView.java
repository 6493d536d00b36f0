/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.BitSet;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a core knows, for those who look in: its driver, metrics, virtual tables, tests. Changes nothing, and is always
 * of now: to be asked between two steps, by the thread that takes them or under its lock.
 */
public final class CoreView {
    private final Parts parts;

    CoreView(Parts parts) {
        this.parts = parts;
    }

    /** How many mutations are in flight, as far as this node knows. */
    public int recordCount() {
        return parts.statusMap.size();
    }

    /** What is kept on the heap, by estimate. Bytes. */
    public MemoryUse memoryUse() {
        KeptBytes kept = parts.statusMap.kept();
        return new MemoryUse(
                kept.index(),
                kept.data(),
                kept.histories(),
                parts.statusMap.rememberedBytes()
                        + parts.settler.takenBytes()
                        + parts.carryOver.heldBytes()
                        + parts.leftBehind.missed.heldBytes(),
                parts.dispatcher.keptBytes() + parts.receiver.keptBytes(),
                (long) Footprint.READ * parts.reads.openCount()
                        + parts.pins.nameBytes()
                        + (long) Footprint.WRITE * parts.writes.pendingCount());
    }

    /** What {@link MemoryUse#records} may be before a silent peer is left behind: more while one is being repaired. */
    public long recordsLimitBytes() {
        return parts.retirement.limitBytes(parts.receiver);
    }

    /** What of {@link MemoryUse#records} no peer can be left behind for: fewer than w replicas are known to have it. */
    public long undecidedBytes() {
        return parts.retirement.undecidedBytes();
    }

    /** How many mutations in flight this node has known of for so long, and not stamped; it counts up to the limit. */
    public int lacking(int limit, long knownForNanos) {
        return parts.statusMap.lacking(limit, parts.turn.nanos() - knownForNanos);
    }

    /** The mutations in flight, a line each, at most {@code limit}; for people who look for what is stuck. */
    public List<String> describeRecords(int limit) {
        return parts.statusMap.all().stream()
                .limit(limit)
                .map(record -> record.key + " " + record)
                .toList();
    }

    /**
     * A mutation in flight, as this node knows it.
     *
     * @param stampMicros by replica, the stamps that are known here
     * @param everywhereByMicros by when all have it, or what overwrote it, as a peer told; null where none did
     */
    public record InFlight(
            PartitionKey key,
            MutationId id,
            Map<NodeId, Long> stampMicros,
            @Nullable Long everywhereByMicros) {}

    /** The mutations in flight, for those who compare what this node knows with a specification. */
    public List<InFlight> inFlight() {
        return parts.statusMap.all().stream().map(CoreView::inFlight).toList();
    }

    /** Whether there are mutations of a table that some replica may not have, as far as this node knows. */
    public boolean hasInFlight(UUID table) {
        return parts.statusMap.all().stream()
                .anyMatch(record -> record.key.table().equals(table));
    }

    private static InFlight inFlight(MutationRecord record) {
        Map<NodeId, Long> stamps = new HashMap<>();
        for (int i = 0; i < record.group().size(); i++) {
            if (record.isAppliedAt(i)) {
                stamps.put(record.group().members().get(i), record.appliedAt(i));
            }
        }
        Long by = record.isToldEverywhere() ? Long.valueOf(record.everywhereByMicros) : null;
        return new InFlight(record.key, record.id, Collections.unmodifiableMap(stamps), by);
    }

    public int waitingReadCount() {
        return parts.reads.waitingCount();
    }

    /**
     * A read that waits; times on the scale of elapsed time.
     *
     * @param awaited what it waited for first
     * @param pulled whether the other replicas have been asked for their status on its behalf
     */
    public record WaitingRead(
            long readId,
            PartitionKey key,
            ReadMode mode,
            Awaited awaited,
            long startedNanos,
            long deadlineNanos,
            boolean pulled) {}

    /** The reads that wait, at most {@code limit}. */
    public List<WaitingRead> waitingReads(int limit) {
        return parts.reads.waiting(limit);
    }

    /**
     * What is promised between this node and a peer, for strict reads at home.
     *
     * @param heldMicros how long this node may still count on the peer's promise, as of the last step; 0: it has none
     * @param promisedMicros how long this node still keeps its own to the peer; 0: it has given none
     * @param asks whether the peer asks for one
     * @param lags whether the peer lacks what this node has stamped long ago, and is promised nothing for it
     * @param times how often the peer has promised something
     * @param lapses how often a promise to the peer has run out
     */
    public record Lease(
            NodeId peer, long heldMicros, long promisedMicros, boolean asks, boolean lags, long times, long lapses) {}

    /** The largest timestamp that this node has given to a write. */
    public long lastTimestampMicros() {
        return parts.writes.lastTimestampMicros();
    }

    /** Of each peer that has spoken of leases. */
    public List<Lease> leases() {
        return parts.leases.leases();
    }

    /** Whether the update, if it were offered now, would be stamped and journaled. */
    public boolean wouldStamp(Update update) {
        return parts.applies.wouldStamp(update);
    }

    /** Whether this node is a replica of one of these partitions. */
    public boolean holdsAny(Collection<PartitionKey> keys) {
        return keys.stream().anyMatch(key -> parts.statusMap.groupOf(key).contains(parts.self));
    }

    /** What a read waits for, in words; null where it does not wait for other nodes. */
    public @Nullable String whyWaits(long readId) {
        String why = parts.reads.whyWaits(readId);
        return why == null ? parts.scans.whyWaits(readId) : why;
    }

    /** What keeps a write from being acknowledged, in words; null where it is not under way. */
    public @Nullable String whyPending(long writeId) {
        return parts.writes.whyPending(writeId);
    }

    /** Why reads in this mode are refused at the moment, or null where they are not. */
    public @Nullable String whyRefused(ReadMode mode) {
        return parts.bounds.whyRefused(mode);
    }

    /** In force now. */
    public Settings settings() {
        return parts.settings.now();
    }

    /** Changes whenever a mutation of the partition is stamped here, and when it is in the store. */
    public long versionOf(PartitionKey key) {
        return parts.statusMap.versionOf(key);
    }

    /** How many scans have their cuts pinned. */
    public int pinnedScanCount() {
        return parts.pins.size();
    }

    public int openReadCount() {
        return parts.reads.openCount();
    }

    public int pendingWriteCount() {
        return parts.writes.pendingCount();
    }

    public Set<NodeId> leftBehind() {
        return parts.leftBehind.peers();
    }

    /** The peers that have left this node behind, by what they last said; none of them tells it of anything new. */
    public Set<NodeId> leftBehindBy() {
        return parts.knowledge.leftBehindBy();
    }

    /**
     * Why reads of this group's keys are shown nothing new here: too many have left this node behind. Null where enough
     * have not. What was covered before may still be read, by sessions that have seen nothing newer.
     */
    public @Nullable String whyLeftBehind(ReplicaGroup group) {
        return parts.knowledge.whyLeftBehind(group);
    }

    /**
     * Whether this node cannot answer reads of the group's keys for longer, while others may: too many have left it
     * behind, it is being filled with data that nobody announces, or it does not know what it stamped.
     */
    public boolean lacksData(UUID table, ReplicaGroup group) {
        return parts.tables.filling.lacksData(table) || parts.knowledge.isLeftBehind(group);
    }

    /**
     * Whether this node hears so few others that reads of the group's keys are shown nothing new here: it has just
     * started, or is cut off. What was covered before is shown still.
     */
    public boolean hearsTooFew(ReplicaGroup group) {
        return parts.knowledge.hearsTooFew(group);
    }

    /** Whether this node holds the lease for the group's keys: strict reads at home wait where it does not. */
    public boolean holdsLease(UUID table, ReplicaGroup group) {
        return parts.leases.holds(group, table);
    }

    /** Which reads of the table here are Cassandra's own, see {@link Event.TableFilled}. */
    public PlainReads plainReads(UUID table) {
        return parts.tables.filling.plainReads(table);
    }

    /** Whether the nodes bring together by themselves what they held of the table when it was enabled. */
    public boolean isFilledByNodes(UUID table) {
        return parts.tables.filling.isFilledByNodes(table);
    }

    /** Whether it will not be so any more, or never was. */
    public boolean isNeverReadPlainly(UUID table) {
        return parts.tables.filling.isNeverReadPlainly(table);
    }

    /** Whether the core was told {@link Event.TableFollowed}. */
    public boolean isFollowed(UUID table) {
        return parts.tables.moves.isFollowed(table);
    }

    /** Whether this node gave promises, before the table's move, that others may still count on. */
    public boolean earlierPromisesMayRun(UUID table) {
        return parts.tables.moves.earlierPromisesMayRun(table);
    }

    /** Of the peers that follow the table, those that wait for others to leave an earlier name. */
    public Set<NodeId> heldUpBy(UUID table) {
        return parts.tables.moves.heldUpBy(table);
    }

    /** Whether writes of the table wait here, since some node may still serve it under an earlier name. */
    public boolean isHeld(UUID table) {
        return parts.tables.moves.isHeld(table);
    }

    /**
     * Whether what this node had in flight under the name before is still being carried over: a repair waits for it.
     */
    boolean isCarrying(UUID table) {
        return parts.tables.moves.isCarrying(table);
    }

    /**
     * The table's name before its partitions moved, where this node has to repair only what it did not hold then; null
     * where it has to repair all that it holds.
     */
    public @Nullable UUID carriedFrom(UUID table) {
        return parts.tables.moves.carriedFrom(table);
    }

    /** Whether this node has its part of bringing the table together still to do, and nobody does it for it. */
    public boolean needsStep(UUID table) {
        return parts.tables.moves.isHeld(table) || parts.tables.filling.needsRepair(table);
    }

    /**
     * The parts of the table, as {@link Placement#bucketOf} numbers them, in which the peer lacks something that this
     * node has retired without it; null where it may lack something in all.
     */
    public @Nullable BitSet missedBy(NodeId peer, UUID table) {
        return parts.leftBehind.missed.of(peer, table);
    }

    /** Whether it is so for no table and no group. */
    public boolean lacksNothing() {
        return !parts.tables.filling.lackData() && !parts.knowledge.isLeftBehind();
    }

    /** Those left behind whose repair was announced here: they have been waited for ever since. */
    public Set<NodeId> beingRepaired() {
        return parts.leftBehind.beingRepaired();
    }

    /** Those left behind that are waited for again: they are being repaired, or come back by themselves. */
    public Set<NodeId> awaitedAgain() {
        return parts.leftBehind.awaitedAgain();
    }

    /** The peers that have reported the table as enabled since it was enabled here. */
    public Set<NodeId> reportedBy(UUID table) {
        return parts.tables.reportedBy(table);
    }

    /**
     * Whether the table was disabled here, and another node may still serve it: then it is not yet an ordinary table.
     */
    public boolean isEnding(UUID table) {
        return parts.tables.isEnding(table);
    }

    /**
     * Whether some mutation of the table may be in the store without having been stamped here: then this must be known
     * after a restart, too.
     */
    public boolean hasForeignData(UUID table) {
        return parts.tables.hasForeignData(table)
                || parts.statusMap.all().stream()
                        .anyMatch(record -> record.maybeInStore
                                && record.local == MutationRecord.Local.ABSENT
                                && record.key.table().equals(table));
    }

    /** Whether the table's baseline is known at this node. */
    public boolean hasBaseline(UUID table) {
        return parts.tables.hasBaseline(table);
    }

    /** How long nothing was heard of the peer; {@link Long#MAX_VALUE} if never. */
    public long silentForMicros(NodeId peer) {
        return parts.receiver.silentForMicros(peer);
    }

    /** The peers that have not been heard of for so long that they may be down. */
    public Set<NodeId> silentPeers() {
        Set<NodeId> silent = peers();
        silent.removeIf(parts.receiver::isHeard);
        return silent;
    }

    /** The nodes that share data with this one. */
    public Set<NodeId> peers() {
        return new HashSet<>(parts.receiver.peers());
    }

    /**
     * How far the stream from the peer has come: subscribed, snapshot or live; refused where the peer has left this
     * node behind; none where it is no peer.
     */
    public String streamOf(NodeId peer) {
        return parts.receiver.phaseOf(peer);
    }

    /** How far the hybrid clock was ahead of the physical one at the last step. */
    public long clockAheadMicros() {
        return parts.turn.clock.aheadMicros(parts.turn.wallMicros());
    }

    public long hybridClockMicros() {
        return parts.turn.clock.value();
    }

    /** Why the table cannot be served for keys of this group, or null if it can. */
    public @Nullable String notReady(UUID table, ReplicaGroup group) {
        return parts.tables.notReady(table, group);
    }

    /** The newest cut up to which the peer's announcements are known here, or null before its first stream. */
    public @Nullable Long coveredUpToMicros(NodeId peer) {
        Coverage coverage = parts.receiver.coverageOf(peer);
        return coverage.isEmpty() ? null : Long.valueOf(coverage.newestMicros());
    }

    public long oneWayDelayMicros(NodeId peer) {
        return parts.delays.oneWayMicros(peer);
    }

    /** How far the peer's physical clock seems to be ahead of this node's, or null before it was measured. */
    public @Nullable Long clockSkewMicros(NodeId peer) {
        return parts.delays.skewMicros(peer);
    }
}
