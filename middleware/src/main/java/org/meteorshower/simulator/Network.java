/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/** Links between nodes with delay, jitter (so reordering), loss, duplicates and cuts. Node n to itself is at once. */
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
        var fixed = plan.links().pairMicros().iterator();
        for (int b = 1; b < plan.nodes(); b++) {
            for (int a = 0; a < b; a++) {
                long about = plan.links().oneWayMicros();
                long delay = fixed.hasNext() ? fixed.next() : about / 2 + (long) (random.nextDouble() * about);
                delays.put(new Link(a, b), delay);
                delays.put(new Link(b, a), delay);
            }
        }
    }

    long delayMicros(int from, int to) {
        if (from == to) {
            return 50;
        }
        long base = delays.getOrDefault(new Link(from, to), plan.links().oneWayMicros());
        return base + (long) (base * plan.links().jitterShare() * random.nextDouble());
    }

    /** Delivers after the link's delay, or never. */
    void send(int from, int to, Runnable deliver) {
        if (from != to
                && (cut.contains(new Link(from, to))
                        || random.nextDouble() < plan.links().lossShare())) {
            return;
        }
        scheduler.after(delayMicros(from, to), deliver);
        if (from != to
                && plan.links().duplicateShare() > 0
                && random.nextDouble() < plan.links().duplicateShare()) {
            scheduler.after(delayMicros(from, to) + random.nextInt(3_000_000), deliver);
        }
    }

    boolean isCut() {
        return !cut.isEmpty();
    }

    void cut(int from, int to) {
        if (from != to) {
            cut.add(new Link(from, to));
        }
    }

    void heal(int a, int b) {
        cut.remove(new Link(a, b));
        cut.remove(new Link(b, a));
    }

    void heal() {
        cut.clear();
    }
}
