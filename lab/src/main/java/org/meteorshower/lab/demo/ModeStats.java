/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** What was measured in one mode, by data centre. Thread-safe. */
final class ModeStats {
    private final Map<String, OperationStats> byDc = new LinkedHashMap<>();
    private final AtomicLong measuredMillis = new AtomicLong();

    ModeStats(List<String> dcs) {
        dcs.forEach(dc -> byDc.put(dc, new OperationStats()));
    }

    OperationStats at(String dc) {
        OperationStats stats = byDc.get(dc);
        if (stats == null) {
            throw new IllegalArgumentException("no data centre " + dc);
        }
        return stats;
    }

    List<String> dcs() {
        return List.copyOf(byDc.keySet());
    }

    /** All data centres together, as of now. */
    OperationStats total() {
        OperationStats total = new OperationStats();
        byDc.values().forEach(total::addAll);
        return total;
    }

    /** Adds the figures of a phase in the same mode and data centres. */
    void addAll(ModeStats other) {
        other.byDc.forEach((dc, stats) -> at(dc).addAll(stats));
        measuredFor(other.measuredMillis.get());
    }

    void measuredFor(long millis) {
        measuredMillis.addAndGet(millis);
    }

    double operationsPerSecond(OperationStats stats) {
        long millis = measuredMillis.get();
        return millis == 0 ? Double.NaN : stats.succeeded() * 1_000.0 / millis;
    }
}
