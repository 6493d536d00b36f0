/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Links between nodes with delay, jitter (so reordering), loss and cuts. Node n to itself is at once. */
final class Network {
    private record Link(int from, int to) {}

    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final SimulationPlan plan;
    private final Map<Link, Long> delays = new HashMap<>();
    private final Set<Link> cut = new HashSet<>();

    Network(Scheduler scheduler, SplittableRandom random, SimulationPlan plan) {
        this.scheduler = scheduler;
        this.random = random;
        this.plan = plan;
        for (int a = 0; a < plan.nodes(); a++) {
            for (int b = a + 1; b < plan.nodes(); b++) {
                long delay = plan.oneWayMicros() / 2 + (long) (random.nextDouble() * plan.oneWayMicros());
                delays.put(new Link(a, b), delay);
                delays.put(new Link(b, a), delay);
            }
        }
    }

    void allDelays(long micros) {
        delays.replaceAll((link, before) -> micros);
    }

    long delayMicros(int from, int to) {
        if (from == to) {
            return 50;
        }
        long base = delays.getOrDefault(new Link(from, to), plan.oneWayMicros());
        return base + (long) (base * plan.jitterShare() * random.nextDouble());
    }

    /** Delivers after the link's delay, or never. */
    void send(int from, int to, Runnable deliver) {
        if (from != to && (cut.contains(new Link(from, to)) || random.nextDouble() < plan.lossShare())) {
            return;
        }
        scheduler.after(delayMicros(from, to), deliver);
    }

    boolean isCut(int from, int to) {
        return cut.contains(new Link(from, to));
    }

    void cut(int from, int to) {
        if (from != to) {
            cut.add(new Link(from, to));
        }
    }

    void heal() {
        cut.clear();
    }
}
