/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.SplittableRandom;

/**
 * Links between nodes with delay, asymmetry, jitter and tails (so reordering), loss, duplicates and cuts. A node's way
 * to itself takes 50 microseconds and is never cut.
 */
public final class Network {
    private final Scheduler scheduler;
    private final SplittableRandom random;
    private final SimulationPlan.Links links;
    private final long[][] delayMicros;

    /** How many faults hold a link down; 0 where it is up. */
    private final int[][] cuts;

    /** What comes on top of each link's delay, at most and at least. */
    private final long[][] mostSlower;

    private final long[][] leastSlower;

    /** The share of its messages that each link loses besides. */
    private final double[][] losses;

    private int cutLinks;

    /**
     * @param delayMicros one way, from the first to the second
     * @param links what else the links do; their delays are not looked at
     */
    public Network(Scheduler scheduler, SplittableRandom random, SimulationPlan.Links links, long[][] delayMicros) {
        this.scheduler = scheduler;
        this.random = random;
        this.links = links;
        this.delayMicros = delayMicros;
        cuts = new int[delayMicros.length][delayMicros.length];
        mostSlower = new long[delayMicros.length][delayMicros.length];
        leastSlower = new long[delayMicros.length][delayMicros.length];
        losses = new double[delayMicros.length][delayMicros.length];
    }

    Network(Scheduler scheduler, SplittableRandom random, SimulationPlan plan) {
        this(scheduler, random, plan.links(), new long[plan.nodes()][plan.nodes()]);
        int nodes = plan.nodes();
        long[][] betweenDcs = betweenDcs(plan);
        for (int a = 0; a < nodes; a++) {
            for (int b = 0; b < nodes; b++) {
                int from = plan.cluster().dcOf(a);
                int to = plan.cluster().dcOf(b);
                delayMicros[a][b] = a == b ? 50 : from == to ? 100 + random.nextInt(500) : betweenDcs[from][to];
            }
        }
    }

    private long[][] betweenDcs(SimulationPlan plan) {
        int dcs = plan.cluster().nodesPerDc().size();
        long[][] between = new long[dcs][dcs];
        var fixed = links.pairMicros().iterator();
        for (int b = 1; b < dcs; b++) {
            for (int a = 0; a < b; a++) {
                long about = links.oneWayMicros();
                long delay = fixed.hasNext() ? fixed.next() : about / 2 + (long) (random.nextDouble() * about);
                long skew = (long) (delay * links.asymmetry() * random.nextDouble());
                between[a][b] = delay + skew;
                between[b][a] = delay - skew;
            }
        }
        return between;
    }

    public long delayMicros(int from, int to) {
        long base = delayMicros[from][to];
        if (from == to) {
            return base;
        }
        long delay = base + (long) (base * links.jitterShare() * random.nextDouble());
        if (mostSlower[from][to] > 0) {
            delay += leastSlower[from][to]
                    + (long) ((mostSlower[from][to] - leastSlower[from][to]) * random.nextDouble());
        }
        if (links.tailShare() > 0 && random.nextDouble() < links.tailShare()) {
            delay += (long) (20 * base * random.nextDouble() * random.nextDouble());
        }
        return delay;
    }

    /** The longest that a message takes which is neither jittered nor held up. */
    long longestMicros() {
        long longest = 0;
        for (long[] row : delayMicros) {
            for (long delay : row) {
                longest = Math.max(longest, delay);
            }
        }
        return longest;
    }

    /** Delivers after the link's delay, or never. */
    public void send(int from, int to, Runnable deliver) {
        if (from == to) {
            scheduler.after(delayMicros[from][to], deliver);
            return;
        }
        if (cuts[from][to] > 0 || (links.lossShare() > 0 && random.nextDouble() < links.lossShare())) {
            return;
        }
        if (losses[from][to] > 0 && random.nextDouble() < losses[from][to]) {
            return;
        }
        scheduler.after(delayMicros(from, to), deliver);
        if (links.duplicateShare() > 0 && random.nextDouble() < links.duplicateShare()) {
            scheduler.after(delayMicros(from, to) + random.nextInt(3_000_000), deliver);
        }
    }

    public boolean isCut() {
        return cutLinks > 0;
    }

    boolean isCut(int from, int to) {
        return cuts[from][to] > 0;
    }

    public void cut(int from, int to) {
        if (from != to && cuts[from][to]++ == 0) {
            cutLinks++;
        }
    }

    /** Takes one fault back in both directions, if there was one. */
    public void heal(int a, int b) {
        healOneWay(a, b);
        healOneWay(b, a);
    }

    public void healOneWay(int from, int to) {
        if (cuts[from][to] > 0 && --cuts[from][to] == 0) {
            cutLinks--;
        }
    }

    /** All that is sent from now on takes so much longer; 0 and 0 for as before. */
    public void slow(int from, int to, long leastMicros, long mostMicros) {
        leastSlower[from][to] = leastMicros;
        mostSlower[from][to] = mostMicros;
    }

    /** So many of what is sent from now on are lost; 0 for as before. */
    public void lose(int from, int to, double share) {
        losses[from][to] = share;
    }

    public void heal() {
        for (int[] row : cuts) {
            java.util.Arrays.fill(row, 0);
        }
        for (int from = 0; from < mostSlower.length; from++) {
            java.util.Arrays.fill(mostSlower[from], 0);
            java.util.Arrays.fill(leastSlower[from], 0);
            java.util.Arrays.fill(losses[from], 0);
        }
        cutLinks = 0;
    }
}
