/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.agent;

import org.jspecify.annotations.Nullable;

/**
 * Has a thread that puts many mutations into Cassandra's commit log wait for the disk once, after the last of them, and
 * not after each. The log is one sequence, in which a thread's later entry stands behind its earlier ones, and it comes
 * to the disk in that order: who has waited for the last one has waited for all.
 */
public final class OneWait {
    private static final ThreadLocal<@Nullable OneWait> CURRENT = new ThreadLocal<>();

    private @Nullable OriginalWait log;
    private @Nullable Object last;

    private OneWait() {}

    /**
     * Returns when what this thread has put into the commit log meanwhile is as durable as Cassandra is set to have it
     * before it says so. Until then nobody must be told, or shown, any of it. Not to be nested.
     */
    public static void forAll(Runnable appending) {
        OneWait wait = new OneWait();
        CURRENT.set(wait);
        try {
            appending.run();
        } finally {
            CURRENT.remove();
        }
        OriginalWait log = wait.log;
        Object last = wait.last;
        if (log != null && last != null) {
            log.meteorshowerAwait(last);
        }
    }

    /** Whether this thread waits for it later. */
    static boolean takes(OriginalWait log, Object entry) {
        OneWait wait = CURRENT.get();
        if (wait == null) {
            return false;
        }
        wait.log = log;
        wait.last = entry;
        return true;
    }
}
