/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.transactions.clocks.LongestSilence;

/**
 * Says when this node is to begin its data centre's process, because nobody runs it, or who did is dead. It only
 * guesses, from what nodes tell and how their connections are; a wrong guess costs a takeover and nothing else, since
 * the fence decides.
 *
 * <p>Three things are evidence, from the quickest to the slowest: a farewell; a connection that has ended, and was not
 * there again for a few announcements, as when a process dies; and silence, as when a machine vanishes or a process
 * stands still. How long a silence counts goes by the longest one of late, so that who is paused by its garbage
 * collector time and again is left alone. Time that this node itself stood still does not count. Pure, but for its own
 * lock: time is an argument, in nanoseconds of any origin.
 */
final class Succession {
    /** How often who runs a process is to say so in its data centre. */
    static final long ANNOUNCE_NANOS = 100_000_000;

    /** How often to look. */
    static final long LOOK_NANOS = 50_000_000;

    /** Nobody was heard since this node began: others may be about to be. */
    static final long FIRST_PATIENCE_NANOS = 1_200_000_000;

    static final long LEAST_SILENCE_NANOS = 1_000_000_000;
    static final long MOST_SILENCE_NANOS = 5_000_000_000L;
    private static final int TIMES_LONGEST = 3;

    /** Without a connection: two announcements, and a connection would have been there again. */
    static final long SEVERED_NANOS = 300_000_000;

    /** A silence of which nothing is thought. */
    private static final long NOTHING_UNUSUAL_NANOS = 2 * ANNOUNCE_NANOS;

    /** What each further candidate waits longer: within it the first one has told that it begins. */
    static final long STAGGER_NANOS = 300_000_000;

    /** So long who says that it begins is waited for. */
    static final long CANDIDATE_NANOS = 4_000_000_000L;

    private static final long HALF_MINUTE_NANOS = 30_000_000_000L;

    /**
     * What one look sees.
     *
     * @param rank how many other nodes of the data centre that are up come before this one; without who is heard of
     *     last
     * @param alone whether there is no other node in the data centre
     * @param severed whether no connection with who is heard of last stands, or Cassandra has given it up
     */
    record Seen(int rank, boolean alone, boolean severed) {}

    private @Nullable NodeId runner;
    private long life;
    private boolean heard;
    private boolean left;
    private long lookedNanos;
    private long silentNanos;
    private long candidateUntilNanos;
    private boolean awaitsCandidate;
    private final LongestSilence longest = new LongestSilence(HALF_MINUTE_NANOS);

    Succession(long nowNanos) {
        lookedNanos = nowNanos;
    }

    /** Another node of this data centre says that it runs the process. */
    synchronized void heard(NodeId node, long itsLife) {
        if (itsLife < life || (left && itsLife == life)) {
            return; // one that was replaced, or from before its farewell
        }
        if (!node.equals(runner) || itsLife != life) {
            // What was not heard of the last one says nothing of this one.
            silentNanos = 0;
            longest.forget();
        }
        runner = node;
        life = itsLife;
        heard = true;
        left = false;
        awaitsCandidate = false;
    }

    /** Another node of this data centre is about to begin the process. */
    synchronized void candidate(long nowNanos) {
        awaitsCandidate = true;
        candidateUntilNanos = nowNanos + CANDIDATE_NANOS;
    }

    /** Who runs the process hands it over. */
    synchronized void farewell(long itsLife) {
        if (itsLife >= life) {
            life = itsLife;
            left = true;
        }
    }

    /** This node ran the process, or was about to, and does not any more: it waits as one that begins. */
    synchronized void restart() {
        silentNanos = 0;
    }

    /** Of the youngest process that was heard of, at another node of this data centre; 0 where none was. */
    synchronized long life() {
        return left ? 0 : life;
    }

    /** Who was heard of last, other than this node; null where nobody was. */
    synchronized @Nullable NodeId runner() {
        return runner;
    }

    /** One look, further if there is reason to. Returns whether this node is to begin. */
    synchronized boolean isDue(Supplier<Seen> further, long nowNanos) {
        // A pause of this node's own counts as one look: what was announced meanwhile has still to be read.
        silentNanos += Math.min(nowNanos - lookedNanos, 2 * LOOK_NANOS);
        lookedNanos = nowNanos;
        if (heard) {
            heard = false;
            longest.ended(silentNanos, nowNanos);
            silentNanos = 0;
        }
        if (awaitsCandidate && nowNanos - candidateUntilNanos >= 0) {
            awaitsCandidate = false;
        }
        if (awaitsCandidate || (silentNanos < NOTHING_UNUSUAL_NANOS && !left)) {
            return false;
        }
        Seen seen = further.get();
        return silentNanos >= patienceNanos(seen, nowNanos) + seen.rank() * STAGGER_NANOS;
    }

    private long patienceNanos(Seen seen, long nowNanos) {
        if (left || seen.alone()) {
            return 0;
        } else if (runner == null) {
            return FIRST_PATIENCE_NANOS;
        } else if (seen.severed()) {
            return SEVERED_NANOS;
        }
        return Math.max(LEAST_SILENCE_NANOS, Math.min(MOST_SILENCE_NANOS, TIMES_LONGEST * longest.lately(nowNanos)));
    }
}
