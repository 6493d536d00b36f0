/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.top;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Asks all nodes at once, each by a thread of its own, so that a slow one holds no other up. For one thread. */
final class Observer implements AutoCloseable {
    private final List<NodeProbe> probes;
    private final Map<Target, Reading> before = new HashMap<>();
    private final ExecutorService threads;

    Observer(List<Target> targets, NodeProbe.@Nullable Credentials credentials) {
        probes = targets.stream()
                .map(target -> new NodeProbe(target, credentials))
                .toList();
        threads = Executors.newFixedThreadPool(Math.max(1, probes.size()), task -> {
            Thread thread = new Thread(task, "top");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** All nodes, in their order. A node's connections have time-outs, so this returns. */
    List<Sight> look() throws InterruptedException {
        List<Callable<Sight>> tasks = new ArrayList<>();
        probes.forEach(probe -> tasks.add(() -> look(probe)));
        List<Sight> sights = new ArrayList<>();
        for (Future<Sight> done : threads.invokeAll(tasks)) {
            try {
                Sight sight = done.get();
                sights.add(sight);
                Sight.Figures figures = sight.figures();
                if (figures == null) {
                    before.remove(sight.target());
                } else {
                    before.put(sight.target(), figures.now());
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }
        return sights;
    }

    private Sight look(NodeProbe probe) {
        try {
            return Sight.of(probe.target(), before.get(probe.target()), probe.read());
        } catch (NodeProbe.SilentException e) {
            return Sight.silent(probe.target(), String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void close() {
        probes.forEach(NodeProbe::close);
        threads.shutdownNow();
    }
}
