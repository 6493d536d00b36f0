/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

/**
 * When the journal is forced to disk. Under every policy the journal survives the death of the process, {@code kill -9}
 * included, because written pages are the kernel's; the policy is about the death of the machine.
 *
 * <p>It should be no weaker than Cassandra's {@code commitlog_sync}: a mutation that Cassandra's commit log still has
 * after a power failure, but this journal has not, is applied and not announced.
 *
 * @param kind when
 * @param batchMillis the interval of {@link Kind#BATCH}, else 0
 */
public record SyncPolicy(Kind kind, long batchMillis) {
    /** When the journal is forced. */
    public enum Kind {
        /** The kernel decides, usually within 30 s. For tests, and where a machine's death means a rebuild. */
        NEVER,
        /** A thread forces at intervals; nothing waits for it. What {@code periodic} is to the commit log. */
        BATCH,
        /**
         * Each entry before the call returns: a disk's latency per mutation. What {@code batch} is to the commit log.
         */
        ALWAYS
    }

    public static final SyncPolicy NEVER = new SyncPolicy(Kind.NEVER, 0);
    public static final SyncPolicy ALWAYS = new SyncPolicy(Kind.ALWAYS, 0);

    public SyncPolicy {
        if (kind == Kind.BATCH && (batchMillis < 1 || batchMillis > 3_600_000)) {
            throw new IllegalArgumentException(
                    "the journal's batch interval must be 1..3600000 ms, but is " + batchMillis);
        }
    }

    public static SyncPolicy batch(long millis) {
        return new SyncPolicy(Kind.BATCH, millis);
    }
}
