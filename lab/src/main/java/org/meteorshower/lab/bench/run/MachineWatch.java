/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.meteorshower.lab.load.MachineLoad;

/** Looks at the machine from time to time. For one thread; to be closed. */
final class MachineWatch implements AutoCloseable {
    private final List<ProcessHandle> nodes;
    private final Hiccups hiccups = new Hiccups();
    private MachineLoad load = MachineLoad.now();
    private long lookedNanos = System.nanoTime();
    private long clientNanos = processorNanos(ProcessHandle.current());
    private long nodesNanos;
    private long gcMillis = gcMillis();

    /** @param nodePids processes of the nodes; ones that end meanwhile count no more */
    MachineWatch(List<Long> nodePids) {
        nodes = nodePids.stream()
                .map(ProcessHandle::of)
                .flatMap(Optional::stream)
                .toList();
        nodesNanos = nodesNanos();
    }

    /** What was since the last look. */
    MachineSample look() {
        MachineLoad loadNow = MachineLoad.now();
        long now = System.nanoTime();
        long client = processorNanos(ProcessHandle.current());
        long served = nodesNanos();
        long gc = gcMillis();
        double available = Math.max(1.0, (double) (now - lookedNanos)) * loadNow.processors();
        MachineSample sample = new MachineSample(
                loadNow.loadAverage(),
                loadNow.stolenSince(load),
                loadNow.busySince(load),
                Math.max(0, client - clientNanos) / available,
                Math.max(0, served - nodesNanos) / available,
                gc - gcMillis,
                hiccups.longestMillis());
        load = loadNow;
        lookedNanos = now;
        clientNanos = client;
        nodesNanos = served;
        gcMillis = gc;
        return sample;
    }

    private long nodesNanos() {
        return nodes.stream().mapToLong(MachineWatch::processorNanos).sum();
    }

    private static long processorNanos(ProcessHandle process) {
        return process.info().totalCpuDuration().map(Duration::toNanos).orElse(0L);
    }

    private static long gcMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionTime)
                .filter(millis -> millis > 0)
                .sum();
    }

    @Override
    public void close() {
        hiccups.close();
    }
}
