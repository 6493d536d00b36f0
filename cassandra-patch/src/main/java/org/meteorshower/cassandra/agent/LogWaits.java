/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.agent;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Who waits for the commit log in place of the thread that puts mutations into it. Thread-safe. */
public final class LogWaits {
    private static final ThreadLocal<@Nullable LogWaiter> CURRENT = new ThreadLocal<>();

    private LogWaits() {}

    /** Does something that puts mutations into the commit log, for whose disk another one waits where it takes them. */
    public static <T> T givenTo(LogWaiter waiter, Supplier<T> appending) {
        LogWaiter before = CURRENT.get();
        CURRENT.set(waiter);
        try {
            return appending.get();
        } finally {
            if (before == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(before);
            }
        }
    }

    /** Whether this thread need not wait. */
    static boolean areTaken(OriginalWait log, Object entry) {
        LogWaiter waiter = CURRENT.get();
        return waiter != null && waiter.takes(log, entry);
    }
}
