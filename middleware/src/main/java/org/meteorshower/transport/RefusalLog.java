/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import java.util.HashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs each trouble at most once a minute, however often somebody tries. Thread-safe. */
final class RefusalLog {
    private static final Logger LOG = LoggerFactory.getLogger(NettyTransport.class);
    private static final long QUIET_NANOS = 60_000_000_000L;
    private static final int MAX_REMEMBERED = 1_000;

    private final Map<String, Long> lastNanos = new HashMap<>();

    /** @param kind what counts as the same trouble */
    void warn(String kind, String trouble) {
        if (isDue(kind)) {
            LOG.warn("{}", trouble);
        }
    }

    private synchronized boolean isDue(String kind) {
        long now = System.nanoTime();
        Long last = lastNanos.get(kind);
        if (last != null && now - last < QUIET_NANOS) {
            return false;
        }
        if (lastNanos.size() >= MAX_REMEMBERED) {
            lastNanos.clear();
        }
        lastNanos.put(kind, now);
        return true;
    }
}
