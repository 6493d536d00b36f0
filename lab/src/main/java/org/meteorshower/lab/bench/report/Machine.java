/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What it was measured on: nothing that names the machine. Immutable. */
public record Machine(String processor, int cores, long memoryMegabytes, String system, String java) {
    public static Machine here() {
        return new Machine(
                field("/proc/cpuinfo", "model name"),
                Runtime.getRuntime().availableProcessors(),
                installedMegabytes(),
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                System.getProperty("java.version"));
    }

    private static long installedMegabytes() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean bean
                ? bean.getTotalMemorySize() >> 20
                : 0;
    }

    private static String field(String file, String name) {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.filter(line -> line.startsWith(name))
                    .findFirst()
                    .map(line -> line.replaceFirst("[^:]*:\\s*", ""))
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }

    /** In one line. */
    public String text() {
        return cores + " × " + processor + ", " + memoryMegabytes + " MB, " + system + ", Java " + java;
    }
}
