/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import com.datastax.oss.driver.api.core.DriverException;
import com.sun.tools.attach.AttachNotSupportedException;
import java.io.IOException;
import java.lang.reflect.UndeclaredThrowableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.load.DataCentres;

/**
 * Looks at every node each second, and starts again those that ended by themselves, as a supervisor of services does.
 * One thread a node; thread-safe.
 */
final class NodeWatch implements AutoCloseable {
    private static final long EACH_MILLIS = 1_000;
    private static final int DISK_EACH = 3;
    private static final Duration RESTART_LIMIT = Duration.ofMinutes(3);
    private static final int MOST_RESTARTS = 3;
    private static final long BEFORE_RESTART_MILLIS = 2_000;

    private final LocalCluster cluster;
    private final AsyncLoad.Clock clock;
    private final Reporter reporter;
    private final List<NodeSample> samples = new ArrayList<>();
    private final Lanes lanes = new Lanes();
    private final Budgets budgets = new Budgets();
    private final Set<String> struck = new HashSet<>();
    private final List<Death> deaths = new ArrayList<>();
    private final Map<String, Integer> restarts = new HashMap<>();
    private final ReentrantLock starting = new ReentrantLock();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean on = true;
    private volatile boolean fault;

    /** A node that ended without having been told to. */
    record Death(double second, String node) {}

    /** Told what happened, by threads of this. */
    interface Reporter {
        /** The node's logs are still as it left them. */
        void died(Death death);

        void say(String line);
    }

    NodeWatch(LocalCluster cluster, DataCentres observers, AsyncLoad.Clock clock, Reporter reporter) {
        this.cluster = cluster;
        this.clock = clock;
        this.reporter = reporter;
        for (NodeSpec node : cluster.nodes()) {
            TableProbe probe = new TableProbe(observers.session(node.dc()));
            Thread thread = new Thread(() -> watch(node.name(), probe), "watch-" + node.name());
            thread.setDaemon(true);
            threads.add(thread);
        }
        threads.forEach(Thread::start);
    }

    /** A fault strikes: who is to lead what is open until it is settled. */
    void faultBegins() {
        fault = true;
    }

    void faultIsSettled() {
        fault = false;
    }

    /** From now on this node's end is no death, and nobody else starts it. */
    synchronized void strike(String node) {
        struck.add(node);
    }

    /** It has a process again that must live. */
    synchronized void unstrike(String node) {
        struck.remove(node);
    }

    private synchronized boolean isStruck(String node) {
        return struck.contains(node);
    }

    private void watch(String node, TableProbe probe) {
        @Nullable HeapProbe heap = null;
        DiskUse disk = new DiskUse(0, 0, 0);
        try {
            for (int look = 0; on; look++) {
                long next = System.nanoTime() + EACH_MILLIS * 1_000_000;
                if (!cluster.isRunning(node)) {
                    close(heap);
                    heap = null;
                    gone(node);
                } else {
                    heap = reached(node, heap);
                    disk = look % DISK_EACH == 0 ? DiskUse.of(cluster.dataFolder(node)) : disk;
                    keep(new NodeSample(clock.nanos(), node, heap(heap), told(probe), disk));
                }
                Thread.sleep(Math.max(1, (next - System.nanoTime()) / 1_000_000));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ClusterException e) {
            on = false; // the cluster is gone: the process is told to end
        } finally {
            close(heap);
        }
    }

    private @Nullable HeapProbe reached(String node, @Nullable HeapProbe open) {
        try {
            long pid = cluster.pid(node);
            if (open != null && open.pid() == pid) {
                return open;
            }
            close(open);
            return new HeapProbe(pid);
        } catch (IOException | AttachNotSupportedException | ClusterException e) {
            return null; // it starts, or ends
        }
    }

    private static void close(@Nullable HeapProbe probe) {
        if (probe != null) {
            probe.close();
        }
    }

    private static HeapProbe.@Nullable Heap heap(@Nullable HeapProbe probe) {
        try {
            return probe == null ? null : probe.look();
        } catch (IOException | UndeclaredThrowableException e) {
            return null;
        }
    }

    private static TableProbe.@Nullable Told told(TableProbe probe) {
        try {
            return probe.look();
        } catch (DriverException | IllegalArgumentException e) {
            return null;
        }
    }

    private synchronized void keep(NodeSample sample) {
        samples.add(sample);
        TableProbe.Told told = sample.told();
        if (told != null) {
            lanes.saw(sample.second(), sample.node(), told.led(), fault);
            told.budgets().forEach(use -> budgets.saw(sample.node(), use));
        }
    }

    private void gone(String node) throws InterruptedException {
        synchronized (this) {
            lanes.ended(node);
            if (struck.contains(node) || restarts.getOrDefault(node, 0) > MOST_RESTARTS) {
                return;
            }
            restarts.merge(node, 1, Integer::sum);
        }
        Death death = new Death(clock.nanos() / 1e9, node);
        synchronized (this) {
            deaths.add(death);
        }
        reporter.died(death);
        Thread.sleep(BEFORE_RESTART_MILLIS);
        starting.lockInterruptibly();
        try {
            if (on && !isStruck(node) && !cluster.isRunning(node)) {
                cluster.restart(node, RESTART_LIMIT, line -> {});
                reporter.say(node + " is up again");
            }
        } catch (ClusterException e) {
            reporter.say(node + " does not come back: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        } finally {
            starting.unlock();
        }
    }

    synchronized List<NodeSample> samples() {
        return List.copyOf(samples);
    }

    synchronized List<Death> deaths() {
        return List.copyOf(deaths);
    }

    synchronized Lanes lanes() {
        return lanes;
    }

    synchronized Budgets budgets() {
        return budgets;
    }

    /** How many entries of the log the node's process has executed, as it told last; 0 where it never did. */
    synchronized long executed(String node) {
        for (int i = samples.size() - 1; i >= 0; i--) {
            TableProbe.Told told = samples.get(i).told();
            // A process that begins, or a node too busy to answer, tells nothing, which is no count.
            if (told != null && told.executed() > 0 && samples.get(i).node().equals(node)) {
                return told.executed();
            }
        }
        return 0;
    }

    @Override
    public void close() {
        on = false;
        threads.forEach(Thread::interrupt);
    }
}
