/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Clients who ask for what only a later format has. The first time that anybody asks, all data centres go on to it,
 * which takes some seconds: a few wait for that, on threads of Cassandra's, for some seconds at the most. Thread-safe;
 * blocks.
 */
final class FormatWaits {
    private static final int LOOKS = 80;
    private static final int MOST_WAITING = 4;
    private static final long PAUSE_NANOS = 50_000_000;

    private final PeerFormats formats;
    private final Runnable want;
    private final Semaphore waiting = new Semaphore(MOST_WAITING);

    /** @param want has the data centres go on; may be called again and again */
    FormatWaits(PeerFormats formats, Runnable want) {
        this.formats = formats;
        this.want = want;
    }

    /** Why nothing can be proposed that needs a format; null where it can. */
    @Nullable
    String whyNot(int format) {
        if (formats.uses(format)) {
            return null;
        }
        boolean waits = waiting.tryAcquire();
        try {
            return whyNot(format, waits ? LOOKS : 0);
        } finally {
            if (waits) {
                waiting.release();
            }
        }
    }

    private @Nullable String whyNot(int format, int looks) {
        for (int left = looks; !formats.uses(format); left--) {
            if (left == 0) {
                return "all data centres need a plugin that knows them, and must be up when the first one is asked for; then"
                        + " each notes which rows it has, which takes the longer the more they are. "
                        + formats.lacks(format) + ". Try again then";
            }
            want.run();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return null;
    }
}
