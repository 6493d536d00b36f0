/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.ReplicaGroup;

/** A mutation and the stamps that are known of it. Each replica's smallest counts: it is the first. */
final class TrackedMutation {
    private static final long UNKNOWN = Long.MAX_VALUE;

    final MutationId id;
    private final ReplicaGroup group;
    private final long[] stamps;
    private long wthMicros = UNKNOWN;

    /** Null until it was stamped here. */
    @Nullable
    WrittenCells written;

    /** What its client was told; {@link Long#MAX_VALUE} where that is not known. */
    long tokenMicros = UNKNOWN;

    TrackedMutation(MutationId id, ReplicaGroup group) {
        this.id = id;
        this.group = group;
        this.stamps = new long[group.size()];
        Arrays.fill(stamps, UNKNOWN);
    }

    void stamped(NodeId replica, long appliedMicros) {
        int member = group.indexOf(replica);
        if (member >= 0) {
            stamps[member] = Math.min(stamps[member], appliedMicros);
            long[] sorted = stamps.clone();
            Arrays.sort(sorted);
            wthMicros = sorted[group.writeQuorum() - 1];
        }
    }

    /** From this cut on it is visible for certain, perhaps earlier: the w-th smallest of the stamps that are known. */
    long visibleFromMicros() {
        return Math.min(tokenMicros, wthMicros);
    }

    /** Whether it is invisible at this cut for certain, given that the stamps known are first ones: r are later. */
    boolean isInvisibleAt(long cutMicros) {
        int later = 0;
        for (long stamp : stamps) {
            later += stamp != UNKNOWN && stamp > cutMicros ? 1 : 0;
        }
        return later >= group.readQuorum();
    }

    /** Null where it does not write the cell, or what it writes is not known. */
    @Nullable
    Version versionOf(CellName cell) {
        return written == null ? null : written.cells().get(cell);
    }

    /** Whether it carries just this version of the cell. */
    boolean carries(CellName cell, Version version) {
        return version.equals(versionOf(cell));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("mutation " + id.timestampMicros() + "/" + Long.toHexString(id.digest())
                + ", w = " + group.writeQuorum() + ", stamps");
        for (int i = 0; i < stamps.length; i++) {
            text.append(' ').append(group.members().get(i)).append(": ").append(stamps[i] == UNKNOWN ? "?" : stamps[i]);
        }
        return tokenMicros == UNKNOWN
                ? text.toString()
                : text.append(", token ").append(tokenMicros).toString();
    }
}
