/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

/**
 * What a core may hold, in bytes as the heap holds them, and from where on it slows clients down. <i>Lag</i> is what is
 * decided and not yet in the tables of a data centre.
 *
 * @param laneBytes entries: proposed, decided and not executed, and the last ones for who asks; above it votes are not
 *     given, and decided entries are read from the log again when their turn comes
 * @param rowBytes rows; above it nothing more is executed until some are in their tables
 * @param queuedBytes requests that wait for their entry; above it clients are refused
 * @param cutBytes of rows to be written behind that are not waited with
 * @param slowBytes of lag from which on less is proposed than is asked for
 * @param stopBytes of lag from which on only a trickle is proposed
 * @param behindBytes of lag with which a data centre is not waited for any longer
 * @param logBytes that the log may take on disk
 */
public record Budget(
        long laneBytes,
        long rowBytes,
        long queuedBytes,
        long cutBytes,
        long slowBytes,
        long stopBytes,
        long behindBytes,
        long logBytes) {
    private static final long MEBIBYTE = 1L << 20;

    private static final long LEAST_PAGE_BYTES = 4 << 10;
    private static final long MOST_PAGE_BYTES = 512 << 10;

    /** Of a heap of 512 MiB. */
    public static final Budget DEFAULT = of(32 * MEBIBYTE, 72 * MEBIBYTE, 8 * MEBIBYTE, 4_096 * MEBIBYTE);

    /**
     * Lag slows from a quarter of what entries may take, stops at three quarters, and is not waited for from twice as
     * much on.
     */
    public static Budget of(long laneBytes, long rowBytes, long queuedBytes, long logBytes) {
        long behind = Math.min(2 * laneBytes, logBytes / 2);
        long stop = Math.min(Math.min(laneBytes * 3 / 4, rowBytes / 2), behind / 2);
        return new Budget(laneBytes, rowBytes, queuedBytes, laneBytes / 4, stop / 3, stop, behind, logBytes);
    }

    /** @throws IllegalArgumentException if these cannot work together */
    public Budget {
        require(laneBytes > 0 && rowBytes > 0 && queuedBytes > 0 && cutBytes > 0, "each must be above 0");
        require(slowBytes < stopBytes && stopBytes < behindBytes, "lag slows, then stops, then is not waited for");
        require(behindBytes < logBytes, "the log must hold what a data centre lags that is waited for");
        require(stopBytes <= rowBytes, "rows must have room for all that lags before clients are stopped");
    }

    /** Of what rows may take, what the change stream may have on the heap, where there is one. */
    public long changeBytes() {
        return rowBytes / 4;
    }

    /** Of what requests may take, those of this data centre's clients that are to be ordered. */
    public long submissionBytes() {
        return queuedBytes / 8 * 5;
    }

    /** Of what requests may take, reads that wait for their count. */
    public long readBytes() {
        return queuedBytes / 8;
    }

    /**
     * Of what requests may take, what is forwarded from one data centre. What comes together is taken together.
     *
     * @param dcs of all
     */
    public long forwardedBytes(int dcs) {
        return queuedBytes / 4 / Math.max(1, dcs - 1);
    }

    /** What is read from the log, or of a snapshot, at a time. */
    public int pageBytes() {
        return (int) Math.max(LEAST_PAGE_BYTES, Math.min(MOST_PAGE_BYTES, laneBytes / 32));
    }

    /**
     * What an entry may hold, unless a single request is larger: it has to fit into a message, and into a write of the
     * store.
     */
    public int entryBytes() {
        return 2 * pageBytes();
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalArgumentException("a budget that cannot work: " + what);
        }
    }
}
