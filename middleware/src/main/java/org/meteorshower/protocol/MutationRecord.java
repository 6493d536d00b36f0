/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Arrays;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * What this node knows of one mutation that is not yet settled everywhere: which replica has applied it, and when.
 *
 * <p>Used by the core's thread only. Invariant: an {@code applied} value, once known, does not change: a replica's
 * first stamp is the one that counts.
 */
final class MutationRecord {
    /** In {@link #appliedMicros}: this replica has not been heard to have applied the mutation. */
    static final long NEVER = Long.MAX_VALUE;

    /** Where the mutation stands in the local store. */
    enum Local {
        /** Announced by others only. */
        ABSENT,
        /** Stamped and journaled, on its way into the store. */
        APPLYING,
        /** Seen by every local read that begins now. */
        APPLIED
    }

    final PartitionKey key;
    final MutationId id;
    final long oldestTimestampMicros;
    final long shape;
    final long row;
    final long createdNanos;
    private ReplicaGroup group;
    private long[] appliedMicros;
    private boolean[] acknowledged;

    /**
     * A bit for each member whose known stamp may not be its first: it may have stamped the mutation before, retired it
     * without this node or forgotten it, and stamped it anew. What is known is by when it had it.
     */
    private long restamped;

    /**
     * A bit for each member that has told anew of all that it holds, and has not told of this mutation again: it has
     * retired or forgotten it since it stamped it.
     */
    private long untold;

    /** How many of {@link #appliedMicros} are known, and the w-th smallest of them: asked for in every round. */
    private int appliedCount;

    private long wthAppliedMicros = NEVER;

    Local local = Local.ABSENT;

    /**
     * The content, from when it is stamped here until the record is retired or sinks; its partition's state sets it.
     */
    private @Nullable Update update;

    private boolean sunk;

    /** Whether the partition's history holds what was before this mutation, so that it can be left out of an answer. */
    boolean coveredByHistory;

    /** Whether the store may hold this mutation although it was never stamped here (a repair streamed it). */
    boolean maybeInStore;

    /** Whether all who hold know of it; {@link Leases} finds it out, and it stays so. */
    boolean complete;

    /** When others were last asked about that, on the scale of elapsed time. */
    long askedNanos = Long.MIN_VALUE / 2;

    /** Whether it comes from the journal: then a peer's silence says nothing, the peer may have retired it. */
    boolean recovered;

    /**
     * By then all replicas had applied it, or a later mutation of the same cells, as a peer that retired it told;
     * {@link #NEVER} where none did.
     */
    long everywhereByMicros = NEVER;

    long nextSettleNanos;

    /**
     * Whether a retired mutation wrote every cell of this one later: then no reader will ever need it again. Its
     * partition's state keeps this, since each round asks.
     */
    boolean dominatedByRetired;

    /** The partition's state while it holds this record; null when the record is done with. */
    @Nullable
    PartitionState partition;

    int settleAttempts;

    /**
     * Another replica that sent it for a client, and that has been told by an announcement alone that it is applied
     * here; null where there is none. It may not learn it so once partitions move.
     */
    @Nullable
    NodeId toldCoordinator;

    /** Somebody waits for it: its first settling is due. */
    void settleNow(long nowNanos) {
        if (settleAttempts == 0) {
            nextSettleNanos = nowNanos;
        }
    }

    MutationRecord(Announcement announced, ReplicaGroup group, long nowNanos) {
        this.key = announced.key();
        this.id = announced.id();
        this.oldestTimestampMicros = announced.oldestTimestampMicros();
        this.shape = announced.shape();
        this.row = announced.row();
        this.createdNanos = nowNanos;
        this.group = group;
        this.appliedMicros = new long[group.size()];
        this.acknowledged = new boolean[group.size()];
        Arrays.fill(appliedMicros, NEVER);
    }

    ReplicaGroup group() {
        return group;
    }

    long timestampMicros() {
        return id.timestampMicros();
    }

    /** The content; null where the mutation was not stamped here, and where the journal alone has it. */
    @Nullable
    Update update() {
        return update;
    }

    /** Only for its partition's state, which counts what is kept. */
    void update(@Nullable Update content) {
        update = content;
    }

    /** What it takes on the heap. */
    long heldBytes() {
        return Footprint.indexBytes(key) + dataBytes();
    }

    long dataBytes() {
        Update content = update;
        return content == null ? 0 : content.sizeBytes();
    }

    /** Whether every reader here sees it: its content has left the heap since ({@link Sinking}). */
    boolean isSunk() {
        return sunk;
    }

    void sink() {
        sunk = true;
    }

    /** Whether its content is not on the heap, and is in the journal: it was stamped here, and is not retired. */
    boolean isInJournalOnly() {
        return update == null && local != Local.ABSENT;
    }

    long appliedAt(int member) {
        return appliedMicros[member];
    }

    /** Notes a replica's stamp; the first one counts. Returns whether it was news. */
    boolean applied(int member, long micros) {
        untold &= ~(1L << member);
        if (appliedMicros[member] != NEVER) {
            return false;
        }
        appliedMicros[member] = micros;
        countApplied();
        return true;
    }

    /** Notes by when a replica had it, which may have stamped it before. Returns whether it was news. */
    boolean appliedBy(int member, long micros) {
        boolean news = applied(member, micros);
        if (news) {
            restamped |= 1L << member;
        }
        return news;
    }

    /** The member is about to tell of all that it has stamped and not retired. */
    void toBeToldAnewBy(int member) {
        if (isAppliedAt(member)) {
            untold |= 1L << member;
        }
    }

    /** Whether the member has told anew of all that it holds, and this was not among it, although it had stamped it. */
    boolean isHeldNoMoreBy(int member) {
        return (untold & 1L << member) != 0;
    }

    private void countApplied() {
        appliedCount = 0;
        for (long micros : appliedMicros) {
            appliedCount += micros == NEVER ? 0 : 1;
        }
        wthAppliedMicros = Order.smallest(appliedMicros, group.writeQuorum());
    }

    boolean isAppliedAt(int member) {
        return appliedMicros[member] != NEVER;
    }

    /** When the replica stamped it, or by when it had, where only that is known; {@link #NEVER} where neither is. */
    long stampedBy(int member) {
        return Math.min(appliedMicros[member], everywhereByMicros);
    }

    /** The peer has this node's own announcement of the mutation. */
    void acknowledgedBy(int member) {
        acknowledged[member] = true;
    }

    /** The peer may not know any more what it had heard: it is in another life. */
    void toBeAcknowledgedAnewBy(int member) {
        acknowledged[member] = false;
    }

    boolean isAcknowledgedBy(int member) {
        return acknowledged[member];
    }

    /**
     * τ if it is known: from this cut on the mutation is visible. {@link #NEVER} while fewer than w stamps are known.
     */
    long visibleFromMicros() {
        return Math.min(everywhereByMicros, wthAppliedMicros);
    }

    /**
     * The earliest that τ can be: below this cut the mutation is invisible for certain.
     *
     * @param coverage of each member of the group, in its order
     */
    long invisibleBelowMicros(Coverage[] coverage) {
        long[] earliest = new long[appliedMicros.length];
        for (int i = 0; i < earliest.length; i++) {
            earliest[i] = earliestMicros(i, coverage[i]);
        }
        return Order.smallest(earliest, group.writeQuorum());
    }

    /** Whether this cut is below {@link #invisibleBelowMicros}: fewer than w replicas can have applied it by then. */
    boolean isInvisibleAt(long cutMicros, Coverage[] coverage) {
        int possible = 0;
        for (int i = 0; i < appliedMicros.length; i++) {
            possible += earliestMicros(i, coverage[i]) <= cutMicros ? 1 : 0;
        }
        return possible < group.writeQuorum();
    }

    /**
     * When a member applied it, or the earliest that it can have: §3, without an announcement max(ts, coverage + 1).
     */
    private long earliestMicros(int member, Coverage covered) {
        long known = appliedMicros[member];
        if (known != NEVER && (restamped & 1L << member) == 0) {
            return known;
        }
        return Math.min(known, recovered ? timestampMicros() : Math.max(timestampMicros(), covered.newestMicros() + 1));
    }

    /** Whether a peer has told that all replicas have it, or what overwrote it. */
    boolean isToldEverywhere() {
        return everywhereByMicros != NEVER;
    }

    boolean isStampedByAll() {
        return appliedCount == appliedMicros.length;
    }

    boolean isAppliedEverywhere(Collection<NodeId> leftBehind) {
        if (isToldEverywhere() || isStampedByAll()) {
            return true;
        } else if (leftBehind.isEmpty()) {
            return false;
        }
        for (int i = 0; i < appliedMicros.length; i++) {
            if (appliedMicros[i] == NEVER
                    && !leftBehind.contains(group.members().get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Whether every peer has this node's announcement; also where there is nothing to announce. */
    boolean isAcknowledgedByAll(NodeId self, Collection<NodeId> leftBehind) {
        if (!isAppliedAt(group.indexOf(self))) {
            return true;
        }
        for (int i = 0; i < acknowledged.length; i++) {
            if (!acknowledged[i]) {
                NodeId member = group.members().get(i);
                if (!member.equals(self) && !leftBehind.contains(member)) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Whether the local store holds what a reader at this cut must see. A mutation that never came here is done without
     * only from where a peer knew it to be done with: before, what overwrote it may itself be invisible.
     */
    boolean isPresentAt(long cutMicros) {
        return local == Local.APPLIED || (local == Local.ABSENT && everywhereByMicros <= cutMicros);
    }

    /** Whether a read of this row could see the mutation. */
    boolean touches(long rowRead) {
        return row == rowRead || row == Update.ANY_ROW || rowRead == Update.ANY_ROW;
    }

    /** Whether every cell this mutation writes is overwritten by {@code later}: the same cells, each written later. */
    boolean isDominatedBy(MutationRecord later) {
        return shape == later.shape && row == later.row && later.oldestTimestampMicros > timestampMicros();
    }

    /** After a change of the replica set: what is known of the replicas that stay is kept. */
    void regroup(ReplicaGroup changed) {
        long[] applied = new long[changed.size()];
        boolean[] acks = new boolean[changed.size()];
        long again = 0;
        long notTold = 0;
        Arrays.fill(applied, NEVER);
        for (int i = 0; i < applied.length; i++) {
            int before = group.indexOf(changed.members().get(i));
            if (before >= 0) {
                applied[i] = appliedMicros[before];
                acks[i] = acknowledged[before];
                again |= (restamped >> before & 1) << i;
                notTold |= (untold >> before & 1) << i;
            }
        }
        group = changed;
        appliedMicros = applied;
        acknowledged = acks;
        restamped = again;
        untold = notTold;
        countApplied();
    }

    @Override
    public String toString() {
        return id + " " + local + (recovered ? " recovered" : "") + " applied=" + Arrays.toString(appliedMicros)
                + " acknowledged=" + Arrays.toString(acknowledged) + " attempts=" + settleAttempts
                + (everywhereByMicros == NEVER ? "" : " everywhere by " + everywhereByMicros);
    }
}
