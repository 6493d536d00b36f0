/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.agent;

import org.jspecify.annotations.Nullable;

/**
 * Has a thread that puts many mutations into Cassandra's commit log wait for the disk once, after the last of them, and
 * not after each. The log is one sequence, in which a thread's later entry stands behind its earlier ones, and it comes
 * to the disk in that order: who has waited for the last one has waited for all.
 */
public final class OneWait implements LogWaiter {
    private @Nullable OriginalWait log;
    private @Nullable Object last;

    private OneWait() {}

    /**
     * Returns when what this thread has put into the commit log meanwhile is as durable as Cassandra is set to have it
     * before it says so. Until then nobody must be told, or shown, any of it.
     */
    public static void forAll(Runnable appending) {
        OneWait wait = new OneWait();
        var unused = LogWaits.givenTo(wait, () -> {
            appending.run();
            return wait;
        });
        OriginalWait log = wait.log;
        Object last = wait.last;
        if (log != null && last != null) {
            log.meteorshowerAwait(last);
        }
    }

    @Override
    public boolean takes(OriginalWait itsLog, Object entry) {
        log = itsLog;
        last = entry;
        return true;
    }
}
