/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.ways;

import java.util.concurrent.TimeUnit;
import org.meteorshower.protocol.NodeId;

/**
 * What this node knows of the way to one other, from the calls that it makes there: how long the network takes, after
 * what time an answer is late, and whether the other is suspected to be of no use at the moment. It serves speed alone:
 * whatever is wrong here, each answer is right. Thread-safe; times are on the elapsed clock of this node.
 */
public final class Way {
    /** One that has not answered, or refused, so often in a row is asked last, until a probe is answered. */
    static final int STRIKES = 3;

    /** Less than this beyond the shortest trip is not worth a second request. */
    static final long LEAST_PATIENCE_MICROS = 5_000;

    static final long MOST_PATIENCE_MICROS = 1_000_000;

    /** Before it is known how long answers take. */
    static final long FIRST_PATIENCE_MICROS = 200_000;

    static final long PROBED_EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final NodeId node;
    private final RecentTrips trips = new RecentTrips();
    private final UsualTimes times = new UsualTimes();

    private long heardMicros = -1;
    private int unanswered;
    private int refused;
    private int inFlight;
    private long turn;
    private boolean probing;
    private boolean everLooked;
    private long lookedNanos;
    private boolean everSuspected;
    /** When it was suspected for the last time: what was asked before does not tell how long answers take. */
    private long suspectedNanos;

    private long reads;
    private long probes;
    private long hedged;
    private long won;

    Way(NodeId node) {
        this.node = node;
    }

    public NodeId node() {
        return node;
    }

    // --- reads -------------------------------------------------------------------------------------------------

    /** A read is sent there. */
    public synchronized void begun() {
        reads++;
        inFlight++;
    }

    /** The call that began then is answered, be it by a refusal. What the replica spent on it is no part of the way. */
    public synchronized void answered(long begunNanos, long nowNanos, long servedMicros) {
        inFlight--;
        noteIfSuspected(nowNanos);
        unanswered = 0;
        long micros = TimeUnit.NANOSECONDS.toMicros(nowNanos - begunNanos);
        trip(micros, servedMicros, nowNanos);
        if (!everSuspected || begunNanos - suspectedNanos > 0) {
            times.add(Math.min(MOST_PATIENCE_MICROS, micros));
        }
    }

    /** What it answered was of use. */
    public synchronized void served() {
        refused = 0;
    }

    /** It answered that it cannot serve the read. */
    public synchronized void refused() {
        refused = Math.min(STRIKES, refused + 1);
    }

    /** The call brought no answer. */
    public synchronized void failed() {
        inFlight--;
        unanswered = Math.min(STRIKES, unanswered + 1);
    }

    /** A read has waited for longer than {@link #patienceMicros}. */
    public synchronized void late() {
        unanswered = Math.min(STRIKES, unanswered + 1);
    }

    /** Another one was asked as well for a read that was asked here first. */
    public synchronized void hedged() {
        hedged++;
    }

    /** A read that was asked elsewhere first was answered from here. */
    public synchronized void won() {
        won++;
    }

    // --- probes ------------------------------------------------------------------------------------------------

    /** Whether it is to be probed now, for want of anything that was measured lately; if so the probe has begun. */
    synchronized boolean beginProbe(long nowNanos) {
        if (probing || (everLooked && nowNanos - lookedNanos < PROBED_EVERY_NANOS)) {
            return false;
        }
        probing = true;
        probes++;
        everLooked = true;
        lookedNanos = nowNanos;
        return true;
    }

    /** Who was suspected is asked again, and is suspected anew at the next strike: a probe is not a read. */
    public synchronized void probeAnswered(long begunNanos, long nowNanos, long servedMicros) {
        probing = false;
        noteIfSuspected(nowNanos);
        unanswered = Math.min(STRIKES - 1, unanswered);
        refused = Math.min(STRIKES - 1, refused);
        trip(TimeUnit.NANOSECONDS.toMicros(nowNanos - begunNanos), servedMicros, nowNanos);
    }

    /** @param silent whether nothing came; else it was not sent, or the peer does not know of probes */
    public synchronized void probeFailed(boolean silent) {
        probing = false;
        if (silent) {
            unanswered = Math.min(STRIKES, unanswered + 1);
        }
    }

    // --- what is known -----------------------------------------------------------------------------------------

    /** The round trip that status messages show, where this node exchanges any with the other. */
    synchronized void heard(long roundTripMicros) {
        heardMicros = roundTripMicros;
    }

    private void trip(long micros, long servedMicros, long nowNanos) {
        trips.add(Math.max(0, micros - Math.max(0, servedMicros)));
        everLooked = true;
        lookedNanos = nowNanos;
    }

    private void noteIfSuspected(long nowNanos) {
        if (isSuspected()) {
            everSuspected = true;
            suspectedNanos = nowNanos;
        }
    }

    /** Asked last: it has not answered, or not been of use, several times in a row. */
    public synchronized boolean isSuspected() {
        return unanswered >= STRIKES || refused >= STRIKES;
    }

    /** The round trip without what the other does meanwhile; -1 where neither calls nor status messages show it. */
    public synchronized long roundTripMicros() {
        return trips.isEmpty() ? heardMicros : trips.shortestMicros();
    }

    /** After this time without an answer a read may be sent to another one as well. */
    public synchronized long patienceMicros() {
        long trip = Math.max(0, roundTripMicros());
        long usual = times.p95Micros() < 0 ? Math.max(FIRST_PATIENCE_MICROS, 2 * trip) : times.p95Micros();
        return Math.min(MOST_PATIENCE_MICROS, Math.max(usual, trip + LEAST_PATIENCE_MICROS));
    }

    synchronized int inFlight() {
        return inFlight;
    }

    /** When its turn was last: the larger, the later. */
    synchronized long turn() {
        return turn;
    }

    synchronized void takeTurn(long number) {
        turn = number;
    }

    /**
     * What operators see of it.
     *
     * @param roundTripMicros -1 where it is not known
     * @param reads sent there
     * @param hedged of these, how many were then sent elsewhere, too
     * @param won reads sent elsewhere before that were answered from here first
     */
    public record Figures(
            NodeId node,
            long roundTripMicros,
            long patienceMicros,
            boolean suspected,
            int inFlight,
            long reads,
            long probes,
            long hedged,
            long won) {}

    synchronized Figures figures() {
        return new Figures(
                node, roundTripMicros(), patienceMicros(), isSuspected(), inFlight, reads, probes, hedged, won);
    }
}
