/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.Comparator;

/** Whether the disks, which lie in this process's memory, are full. Thread-safe. */
final class Room {
    private static final double FULL = 0.85;

    private final MemoryPoolMXBean old;

    Room() {
        old = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP && pool.isCollectionUsageThresholdSupported())
                .max(Comparator.comparingLong(pool -> pool.getUsage().getMax()))
                .orElseThrow();
        old.setCollectionUsageThreshold((long) (FULL * old.getUsage().getMax()));
    }

    /** By what was left after the last collection. */
    boolean isFull() {
        return old.isCollectionUsageThresholdExceeded();
    }
}
