/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import org.jspecify.annotations.Nullable;

/** Who queues for rows, in merged order. It is the same as no other. */
public interface Queued {
    /** One of its rows has come, or it heads the queue of one: it may get on now. It may be told twice. */
    void wake();

    /** Wakes whoever it is; null for nobody. */
    static void wakeAny(@Nullable Queued who) {
        if (who != null) {
            who.wake();
        }
    }
}
