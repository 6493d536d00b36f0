/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

/**
 * What may be tuned. Times in microseconds.
 *
 * @param epochMicros P: how often a lane closes an epoch
 * @param progressMicros how often progress and clocks are exchanged
 * @param suspicionFloorMicros the least time without progress after which a lane is taken over
 * @param settlingMicros for so long after its start a process takes others' silence for pauses of processes that have
 *     just started, too, where their connections stand
 * @param staggerMicros what each further candidate waits longer
 * @param phase1Micros the first time-out of phase 1; it doubles with each failure
 * @param handBackMicros for how long an owner must have kept up before it takes its lane back
 * @param clockToleranceMicros how far a clock may be from the median of all before the median is used instead
 * @param mostUndecided positions of a lane that may be under way; above it clients are refused
 * @param mostQueued submissions that may wait for the next entry
 * @param mostPerEntry submissions in one entry
 * @param checkpointMicros how often rows are written behind
 * @param deadMicros for so long logs are kept for a data centre that is not heard, as far as {@link Budget#logBytes}
 *     allows
 * @param sessionIdleMicros after so long without use a session's end is proposed
 * @param mostRows unused rows kept in memory; fewer where {@code budget} is smaller
 * @param dozeMicros after so long without a request anywhere epochs are closed only where somebody asks; 0 for never
 * @param budget what may be held, in bytes
 * @param keepsChanges whether what transactions set is stored as a stream, too
 */
public record Settings(
        long epochMicros,
        long progressMicros,
        long suspicionFloorMicros,
        long settlingMicros,
        long staggerMicros,
        long phase1Micros,
        long handBackMicros,
        long clockToleranceMicros,
        int mostUndecided,
        int mostQueued,
        int mostPerEntry,
        long checkpointMicros,
        long deadMicros,
        long sessionIdleMicros,
        int mostRows,
        long dozeMicros,
        Budget budget,
        boolean keepsChanges) {
    public static final Settings DEFAULT = new Settings(
            5_000,
            50_000,
            300_000,
            0,
            150_000,
            600_000,
            500_000,
            30_000,
            2_000,
            10_000,
            1_000,
            500_000,
            10_000_000,
            3_600_000_000L,
            100_000,
            2_000_000,
            Budget.DEFAULT,
            false);

    public Settings withSettlingMicros(long micros) {
        return with(micros, checkpointMicros, deadMicros, sessionIdleMicros, mostRows, budget);
    }

    public Settings withDeadMicros(long micros) {
        return with(settlingMicros, checkpointMicros, micros, sessionIdleMicros, mostRows, budget);
    }

    public Settings withSessionIdleMicros(long micros) {
        return with(settlingMicros, checkpointMicros, deadMicros, micros, mostRows, budget);
    }

    /** @param checkpointEveryMicros how often rows are written behind */
    public Settings withSmallMemory(long checkpointEveryMicros, int rows) {
        return with(settlingMicros, checkpointEveryMicros, deadMicros, sessionIdleMicros, rows, budget);
    }

    public Settings withBudget(Budget bytes) {
        return with(settlingMicros, checkpointMicros, deadMicros, sessionIdleMicros, mostRows, bytes);
    }

    private Settings with(long settling, long checkpoint, long dead, long sessionIdle, int rows, Budget bytes) {
        return new Settings(
                epochMicros,
                progressMicros,
                suspicionFloorMicros,
                settling,
                staggerMicros,
                phase1Micros,
                handBackMicros,
                clockToleranceMicros,
                mostUndecided,
                mostQueued,
                mostPerEntry,
                checkpoint,
                dead,
                sessionIdle,
                rows,
                dozeMicros,
                bytes,
                keepsChanges);
    }
}
