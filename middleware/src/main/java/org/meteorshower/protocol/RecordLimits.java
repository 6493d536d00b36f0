/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/**
 * How many records may be kept, and what they may take: one rule with two limits. While a peer that was left behind is
 * repaired, and until its streams are back, there is more room: held to the limit meanwhile, each peer would be given
 * up as soon as its repair begins, for ever. In bytes that is what was kept when the repair began, and at most as much
 * again as the limit.
 */
final class RecordLimits {
    private static final long NOT_STARTED = Long.MIN_VALUE;

    /** So many times the limit by count is there room for what peers that are being repaired bring back. */
    private static final int BROUGHT_BACK = 4;

    /** What is over the limit is looked at once a round, and more comes meanwhile: this part of it is for that. */
    private static final int COMES_MEANWHILE_PART = 32;

    private final LiveSettings settings;
    private final Turn turn;

    /** What is kept while a peer is repaired and until its streams are back; {@link Load#NONE} where none is. */
    private Load roomForRepair = Load.NONE;

    /**
     * When the last repair was announced. What was written before it, and was in flight then, is part of
     * {@link #roomForRepair}.
     */
    private long repairBeganMicros;

    private long roomEndsNanos = NOT_STARTED;

    RecordLimits(LiveSettings settings, Turn turn) {
        this.settings = settings;
        this.turn = turn;
    }

    /** From how many bytes on records have to make room, so that they never take more than is configured. */
    static long crowdedBytes(LiveSettings settings) {
        long most = settings.now().recordsBytes();
        return most - most / COMES_MEANWHILE_PART;
    }

    /** Over these, room has to be made. */
    Load usual() {
        return new Load(settings.now().maxRecords(), crowdedBytes(settings));
    }

    /** Whatever happens, nothing that comes from clients makes records take more than this. */
    long mostBytes() {
        return twice(settings.now().recordsBytes());
    }

    private static long twice(long bytes) {
        return bytes > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : 2 * bytes;
    }

    void repairBegins(Load kept) {
        Load limit = usual();
        roomForRepair = kept.plus(new Load(limit.records(), limit.bytes() / 2));
        repairBeganMicros = turn.clock.value();
    }

    void roomEndsAfter(long nanos) {
        roomEndsNanos = turn.nanos() + nanos;
    }

    /** @param repairing whether some peer is being repaired */
    Load now(boolean repairing) {
        if (!repairing && (roomEndsNanos == NOT_STARTED || turn.nanos() - roomEndsNanos >= 0)) {
            roomForRepair = Load.NONE;
        }
        return usual().atLeast(roomForRepair);
    }

    /** As {@link #now}, with all that hints may bring back. */
    long mostBytesNow(boolean repairing) {
        long limit = Math.max(settings.now().recordsBytes(), now(repairing).bytes());
        return limit + (roomForRepair.equals(Load.NONE) ? 0 : settings.now().recordsBytes() / 2);
    }

    /**
     * Whether so much is decided that what it waits for is given no time: announcements of others are taken over any
     * limit.
     */
    boolean leavesNoTime(Load decided, boolean repairing) {
        return decided.bytes() > Math.max(mostBytes(), mostBytesNow(repairing));
    }

    boolean isOlderThanRepair(MutationRecord record) {
        return record.timestampMicros() < repairBeganMicros;
    }

    /**
     * How much over the limit there may be of mutations that are older than the repair. Hints bring a peer what it has
     * missed: more than the limit, or it would not have been left behind. This node has retired that, hears it all
     * again from the peer, and cannot let it go before that one is back. Given up for it, the peer has to be repaired
     * anew, when the hints are spent. Asked after {@link #now}.
     */
    Load roomFor(Load older) {
        if (roomForRepair.equals(Load.NONE)) {
            return Load.NONE;
        }
        long most = (long) BROUGHT_BACK * settings.now().maxRecords();
        return older.atMost(
                new Load((int) Math.min(Integer.MAX_VALUE, most), settings.now().recordsBytes() / 2));
    }
}
