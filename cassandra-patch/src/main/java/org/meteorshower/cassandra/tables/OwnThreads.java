/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The threads that are MeteorShower's, by their names. Looks only when it is asked. Thread-safe. */
public record OwnThreads(ThreadMXBean threads) {
    private static final String PREFIX = "meteorshower";

    public static OwnThreads ofThisProcess() {
        return new OwnThreads(ManagementFactory.getThreadMXBean());
    }

    /** Processor time so far, by name without its number; empty where the JVM does not measure it. */
    public Map<String, Long> cpuMicros() {
        Map<String, Long> micros = new TreeMap<>();
        if (!threads.isThreadCpuTimeSupported() || !threads.isThreadCpuTimeEnabled()) {
            return micros;
        }
        // Null where a thread has ended meanwhile.
        for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
            if (thread != null
                    && thread.getThreadName().toLowerCase(Locale.ROOT).startsWith(PREFIX)) {
                long nanos = threads.getThreadCpuTime(thread.getThreadId());
                if (nanos >= 0) {
                    micros.merge(group(thread.getThreadName()), nanos / 1_000, Long::sum);
                }
            }
        }
        return micros;
    }

    private static String group(String name) {
        return name.replaceFirst("[-:][-:0-9]*$", "");
    }
}
