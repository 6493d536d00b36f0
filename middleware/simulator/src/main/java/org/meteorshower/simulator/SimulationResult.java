/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.onlinecheck.CheckFigures;
import org.meteorshower.protocol.Effect;
import org.meteorshower.protocol.Served;

/** What a run saw, in counts and latencies. */
public final class SimulationResult {
    private long[] readMicros = new long[1_024];
    private int reads;
    private long[] writeMicros = new long[1_024];
    private int writes;
    private final Map<Served, Integer> served = new EnumMap<>(Served.class);
    private final Map<Effect.Failure, Integer> failures = new EnumMap<>(Effect.Failure.class);

    @Nullable
    String wrongRead;

    @Nullable
    String staleRead;

    @Nullable
    String brokenPromise;

    @Nullable
    String foundOnline;

    CheckFigures online = CheckFigures.NONE;

    long acknowledgedAheadMicros;
    long settledAfterMicros;
    long longestWithMinorityDownMicros;
    long longestMicros;
    int leftBehind;

    final List<String> stuck = new ArrayList<>();
    int begun;
    int refused;
    int ringChanges;
    int ordinary;
    int epochs;

    @Nullable
    String unserved;

    @Nullable
    String lostWrite;

    int scans;
    int sharedScans;
    int scansAgreed;
    int rereadPartitions;
    int unknownWrites;
    int recordsLeft;
    int readsLeft;
    long simulatedMicros;
    long steps;

    void read(Effect.ReadInfo info, long micros) {
        if (reads == readMicros.length) {
            readMicros = Arrays.copyOf(readMicros, 2 * reads);
        }
        readMicros[reads++] = micros;
        served.merge(info.served(), 1, Integer::sum);
    }

    void write(long micros) {
        if (writes == writeMicros.length) {
            writeMicros = Arrays.copyOf(writeMicros, 2 * writes);
        }
        writeMicros[writes++] = micros;
    }

    /** How many scans were answered. */
    public int scans() {
        return scans;
    }

    /** How many of them several nodes answered together. */
    public int sharedScans() {
        return sharedScans;
    }

    /** How many times several nodes found a cut at which all could answer. */
    public int scansAgreed() {
        return scansAgreed;
    }

    /** How many partitions the scans read one by one, since they were written meanwhile. */
    public int rereadPartitions() {
        return rereadPartitions;
    }

    void failed(Effect.ReadFailed failed) {
        failures.merge(failed.failure(), 1, Integer::sum);
    }

    /** The first read that did not return the content at its cut, described; null where all did. */
    public @Nullable String wrongRead() {
        return wrongRead;
    }

    /** The first read older than its mode allows, described; null where there is none. */
    public @Nullable String staleRead() {
        return staleRead;
    }

    /** The first promise of a status message, or of a clock, that was broken, described; null where all were kept. */
    public @Nullable String brokenPromise() {
        return brokenPromise;
    }

    /** The first thing that the online checker of some node found wrong, described; null where it found nothing. */
    public @Nullable String foundOnline() {
        return foundOnline;
    }

    /** What the nodes' online checkers did, all together. */
    public CheckFigures online() {
        return online;
    }

    /** Why the table was not served everywhere at the end, after partitions had moved; null where it was. */
    public @Nullable String unserved() {
        return unserved;
    }

    /** An acknowledged write that was lost as partitions moved, described; null where none was. */
    public @Nullable String lostWrite() {
        return lostWrite;
    }

    /** How often a session was told that the table is not served just then. */
    public int refused() {
        return refused;
    }

    /** How many reads and writes Cassandra answered by itself while the table was disabled. */
    public int ordinary() {
        return ordinary;
    }

    /** How many changes of the ring there were, the joining and the having joined counted apart. */
    public int ringChanges() {
        return ringChanges;
    }

    /** How long after all faults had healed everything was settled. */
    public long settledAfterMicros() {
        return settledAfterMicros;
    }

    /** The longest that an operation took, or was waited for, at a node that was up. */
    public long longestMicros() {
        return longestMicros;
    }

    /** The longest that an operation begun while a minority was down took, at a node that was up; 0 where none was. */
    public long longestWithMinorityDownMicros() {
        return longestWithMinorityDownMicros;
    }

    /** How often a node gave up waiting for a silent peer. */
    public int leftBehind() {
        return leftBehind;
    }

    /** How long before its hybrid time came a write was acknowledged, in the worst case of a run with good clocks. */
    public long acknowledgedAheadMicros() {
        return acknowledgedAheadMicros;
    }

    /** Operations that clients began and that a verifier judged. */
    public int operations() {
        return reads + writes + unknownWrites + ordinary;
    }

    public int reads() {
        return reads;
    }

    public int writes() {
        return writes;
    }

    public int unknownWrites() {
        return unknownWrites;
    }

    public Map<Served, Integer> served() {
        return served;
    }

    public Map<Effect.Failure, Integer> failures() {
        return failures;
    }

    /** Mutation records that some node still kept at the end; 0 when everything settled. */
    public int recordsLeft() {
        return recordsLeft;
    }

    /** Some of the records left, described. */
    public List<String> stuck() {
        return stuck;
    }

    public int readsLeft() {
        return readsLeft;
    }

    /** @param share 0..1, such as 0.99 */
    public double readMillis(double share) {
        return percentile(readMicros, reads, share);
    }

    public double writeMillis(double share) {
        return percentile(writeMicros, writes, share);
    }

    private static double percentile(long[] values, int count, double share) {
        if (count == 0) {
            return 0;
        }
        long[] sorted = Arrays.copyOf(values, count);
        Arrays.sort(sorted);
        return sorted[(int) Math.min(count - 1, Math.floor(share * count))] / 1_000.0;
    }

    @Override
    public String toString() {
        return String.format(
                "%d reads p50/90/99/99.9 %.1f/%.1f/%.1f/%.1f ms %s, %d writes p50/99 %.1f/%.1f ms, %d unknown, failed"
                        + " %s, %d records and %d reads left, %d steps, %.1f simulated s",
                reads,
                readMillis(0.5),
                readMillis(0.9),
                readMillis(0.99),
                readMillis(0.999),
                served,
                writes,
                writeMillis(0.5),
                writeMillis(0.99),
                unknownWrites,
                failures,
                recordsLeft,
                readsLeft,
                steps,
                simulatedMicros / 1e6);
    }
}
