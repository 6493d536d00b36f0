/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.List;

/**
 * Holds hybrid clocks to the physical ones: where physical clocks are good, no write's timestamp may be further ahead
 * of true time than a lead, a slow link and the ceilings of restarted nodes explain.
 */
final class ClockWatch {
    private static final long SLACK_MICROS = 100_000;

    /** No estimate of a one-way delay is longer. */
    private static final long LONGEST_ESTIMATE_MICROS = 2_000_000;

    private final Scheduler scheduler;
    private final SimulationPlan plan;
    private final List<SimulatedNode> nodes;
    private final Promises promises;
    private final long leadMicros;

    ClockWatch(
            Scheduler scheduler, SimulationPlan plan, List<SimulatedNode> nodes, Network network, Promises promises) {
        this.scheduler = scheduler;
        this.plan = plan;
        this.nodes = nodes;
        this.promises = promises;
        // A message that waited, or was sent again, makes its link look longer than it is.
        boolean steady = plan.faults().equals(SimulationPlan.Faults.NONE)
                && plan.links().tailShare() == 0
                && plan.links().lossShare() == 0
                && plan.links().duplicateShare() == 0;
        this.leadMicros = steady ? 4 * network.longestMicros() : LONGEST_ESTIMATE_MICROS;
    }

    void stamped(int node, long timestampMicros) {
        if (!plan.hasGoodClocks()) {
            return;
        }
        long restarts =
                nodes.stream().mapToInt(one -> Math.max(0, one.starts - 1)).sum();
        long aheadMicros = timestampMicros - SimulatedNode.EPOCH_MICROS - scheduler.nowMicros();
        long allowedMicros = leadMicros
                + 2 * plan.settings().clockErrorMicros()
                + restarts * plan.settings().ceilingStepMicros()
                + SLACK_MICROS;
        if (aheadMicros > allowedMicros) {
            promises.broken("n" + node + " gave a write a timestamp " + aheadMicros / 1_000
                    + " ms ahead of clocks that are good; a lead and restarts explain " + allowedMicros / 1_000
                    + " ms");
        }
    }
}
