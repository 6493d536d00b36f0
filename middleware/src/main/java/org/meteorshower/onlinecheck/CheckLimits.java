/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

/**
 * How much the {@link OnlineChecker} keeps. What does not fit is not judged, and counted as such.
 *
 * @param patienceNanos how long after its answer a read is judged: what the replicas stamped is known by then, mostly
 * @param maxPartitions whose last writes are remembered
 * @param maxMutations that are kept with their stamps, for twice the patience
 * @param maxAnswers that wait to be judged
 * @param maxCells whose last version is remembered, for each partition
 */
public record CheckLimits(long patienceNanos, int maxPartitions, int maxMutations, int maxAnswers, int maxCells) {
    public static final CheckLimits DEFAULTS = new CheckLimits(5_000_000_000L, 4_096, 20_000, 20_000, 256);

    public CheckLimits {
        if (patienceNanos < 0 || maxPartitions < 1 || maxMutations < 1 || maxAnswers < 1 || maxCells < 1) {
            throw new IllegalArgumentException("each limit of the online checker must be at least 1");
        }
    }

    /**
     * What an answer or a mutation of a narrow row is taken to take, and a partition with what is remembered of its
     * cells.
     */
    static final int BYTES_EACH = 512;

    static final int PARTITION_BYTES = 4_096;

    /** The default proportions, for this many answers that wait. */
    public static CheckLimits ofAnswers(int maxAnswers) {
        return new CheckLimits(
                DEFAULTS.patienceNanos, Math.max(1, maxAnswers / 4), maxAnswers, maxAnswers, DEFAULTS.maxCells);
    }

    /** These, within so many bytes: half of them for answers, a quarter for mutations, a quarter for partitions. */
    public CheckLimits within(long bytes) {
        return new CheckLimits(
                patienceNanos,
                atMost(maxPartitions, bytes / 4 / PARTITION_BYTES),
                atMost(maxMutations, bytes / 4 / BYTES_EACH),
                atMost(maxAnswers, bytes / 2 / BYTES_EACH),
                maxCells);
    }

    private static int atMost(int wanted, long room) {
        return (int) Math.max(1, Math.min(wanted, room));
    }
}
