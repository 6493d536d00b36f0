/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * How busy the machine is, to judge the figures by. Immutable. In a container it is of the whole machine below, of
 * which this process may have a part only: shares of processes that are held against it must be of {@link #processors}
 * too.
 *
 * @param loadAverage runnable threads over the last minute; NaN where the system does not tell
 * @param totalTicks processor time since the machine started, all processors together; 0 where it does not tell
 * @param idleTicks of these, idle
 * @param stolenTicks of these, taken by other virtual machines
 * @param processors that the ticks are of; those this process may use where the system does not tell
 */
public record MachineLoad(double loadAverage, long totalTicks, long idleTicks, long stolenTicks, int processors) {
    private static final Path STAT = Path.of("/proc/stat");
    private static final int IDLE = 3;
    private static final int IO_WAIT = 4;
    private static final int STEAL = 7;

    public static MachineLoad now() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        double loadAverage = load < 0 ? Double.NaN : load;
        try (Stream<String> lines = Files.lines(STAT)) {
            return of(
                    loadAverage, lines.takeWhile(line -> line.startsWith("cpu")).toList());
        } catch (IOException | UncheckedIOException e) {
            return new MachineLoad(loadAverage, 0, 0, 0, cores());
        }
    }

    /** @param cpuLines the first lines of /proc/stat: of all processors, then of each */
    static MachineLoad of(double loadAverage, List<String> cpuLines) {
        String all = cpuLines.isEmpty() ? "" : cpuLines.get(0);
        long[] ticks = Arrays.stream(all.split("\\s+"))
                .skip(1)
                .limit(STEAL + 1L)
                .mapToLong(Long::parseLong)
                .toArray();
        return ticks.length <= STEAL
                ? new MachineLoad(loadAverage, 0, 0, 0, cores())
                : new MachineLoad(
                        loadAverage,
                        Arrays.stream(ticks).sum(),
                        ticks[IDLE] + ticks[IO_WAIT],
                        ticks[STEAL],
                        cpuLines.size() > 1 ? cpuLines.size() - 1 : cores());
    }

    /** Those that this process may use: in a container perhaps fewer than {@link #processors}. */
    public static int cores() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** Share of the processors in use since then, by whomever; NaN where unknown. */
    public double busySince(MachineLoad earlier) {
        long total = totalTicks - earlier.totalTicks;
        return total <= 0 ? Double.NaN : 1 - (double) (idleTicks - earlier.idleTicks) / total;
    }

    /** Share of the processors that other virtual machines took since then; NaN where unknown. */
    public double stolenSince(MachineLoad earlier) {
        long total = totalTicks - earlier.totalTicks;
        return total <= 0 ? Double.NaN : (double) (stolenTicks - earlier.stolenTicks) / total;
    }
}
