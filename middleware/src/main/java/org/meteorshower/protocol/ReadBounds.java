/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import org.jspecify.annotations.Nullable;

/**
 * What a read's mode asks of clocks: how old its cut may be, and whether the mode can be given at all
 * (docs/decisions/clocks-and-stamps.md, "`bounded` goes by the latest clock").
 */
final class ReadBounds {
    private final NodeId self;
    private final LiveSettings settings;
    private final Turn turn;
    private final Delays delays;
    private final SkewWatch skews;
    private final PeerClocks peerClocks;

    ReadBounds(NodeId self, LiveSettings settings, Turn turn, Delays delays, SkewWatch skews, PeerClocks peerClocks) {
        this.self = self;
        this.settings = settings;
        this.turn = turn;
        this.delays = delays;
        this.skews = skews;
        this.peerClocks = peerClocks;
    }

    static boolean isStrict(ReadMode mode) {
        return mode.kind() == ReadMode.Kind.STRICT;
    }

    /** Whether the mode sets an age, which is told by the latest clock that is heard of. */
    private static boolean setsAnAge(ReadMode mode) {
        return mode.kind() == ReadMode.Kind.BOUNDED || mode.kind() == ReadMode.Kind.BOUNDED_BY_DELAY;
    }

    /**
     * The read's mode allows no older cut than this, as of now; for a mode that sets an age see also {@link #learn}.
     */
    long oldestMicros(ReadMode mode, ReplicaGroup group) {
        return switch (mode.kind()) {
            case SEQUENTIAL -> 0;
            case BOUNDED, BOUNDED_BY_DELAY ->
                Math.max(turn.wallMicros(), othersMicros(group, turn.nanos())) - ageMicros(mode, group);
            case STRICT -> turn.wallMicros() + settings.now().clockErrorMicros();
        };
    }

    private long ageMicros(ReadMode mode, ReplicaGroup group) {
        return mode.kind() == ReadMode.Kind.BOUNDED
                ? mode.thetaMicros()
                : Math.max(
                        0,
                        delays.toNearestMicros(group, self, group.readQuorum())
                                - settings.now().clockErrorMicros());
    }

    /** What a physical clock that is right has to show, by those of the others. */
    private long othersMicros(ReplicaGroup group, long atNanos) {
        return peerClocks.atLeastMicros(group, Math.max(1, group.readQuorum() - 1), atNanos, turn.nanos());
    }

    /**
     * Whether nobody can say yet how old a cut is, since this node has not heard of enough other clocks in this life:
     * its own may have come back wrong.
     */
    boolean isAgeUnknown(ReadMode mode, ReplicaGroup group) {
        return setsAnAge(mode) && !peerClocks.areKnown(group, group.readQuorum() - 1);
    }

    /** A read that began before enough clocks were known gets its bound once they are. */
    void learn(ReadSubscriptionMap.Subscription read, ReplicaGroup group) {
        if (read.ageUnknown && !isAgeUnknown(read.mode, group)) {
            read.ageUnknown = false;
            long latestMicros = othersMicros(group, read.startedNanos);
            if (latestMicros != Long.MIN_VALUE) {
                read.oldestMicros = Math.max(read.oldestMicros, latestMicros - ageMicros(read.mode, group));
            }
        }
    }

    String whyAgeUnknown(ReplicaGroup group) {
        return "too few clocks have been compared with this node's since it started: those of "
                + (group.readQuorum() - 1) + " other replicas are needed to tell how old an answer is";
    }

    /**
     * Leads raise the clock a little ahead of the physical one in the ordinary course of things; more is an excursion.
     */
    boolean isClockOff() {
        return turn.clock.aheadMicros(turn.wallMicros()) > settings.now().clockErrorMicros() + delays.longestMicros();
    }

    String clockText() {
        return "the hybrid clock is " + turn.clock.aheadMicros(turn.wallMicros()) / 1_000
                + " ms ahead of the physical clock: a peer's clock is off, or this node restarted just now;"
                + " sequential reads are served meanwhile";
    }

    /** Why strict is not given in this group because clocks are apart, or null; null for the other modes. */
    @Nullable
    String clocksApart(ReadMode mode, ReplicaGroup group) {
        return isStrict(mode) ? skews.obstacle(group, turn.nanos()) : null;
    }

    /** Why the mode's reads are refused at the moment, or null. */
    @Nullable
    String whyRefused(ReadMode mode) {
        if (mode.needsClock() && isClockOff()) {
            return clockText();
        }
        return isStrict(mode) ? skews.obstacle(turn.nanos()) : null;
    }

    /**
     * A strict answer's cut comes from this node's clock: had that jumped, the others' status since would have shown
     * it.
     */
    boolean areClocksComparedSince(long sinceNanos, ReplicaGroup group) {
        return skews.isComparedSince(sinceNanos, group, group.readQuorum() - 1, turn.nanos());
    }
}
