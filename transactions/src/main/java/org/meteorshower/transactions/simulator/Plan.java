/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.List;
import org.meteorshower.simulator.SimulationPlan;
import org.meteorshower.transactions.port.Settings;

/**
 * What one run does. Everything that is not fixed here is drawn from the seed.
 *
 * @param delaysMicros one way, from data centre to data centre
 * @param links jitter, tails, loss and duplication; its delays are not looked at
 */
public record Plan(
        long seed,
        List<List<Long>> delaysMicros,
        SimulationPlan.Links links,
        Work work,
        Faults faults,
        Settings settings) {

    public int dcs() {
        return delaysMicros.size();
    }

    /**
     * @param clientsPerDc each with one operation at a time
     * @param thinkMicros the mean pause between two operations
     * @param lastsMicros for how long clients begin operations; faults happen in this time
     * @param lists rows that are appended to at a time
     * @param accounts between which money is moved
     * @param hot the share of operations that append to one row that all share
     * @param deadlineMicros after which an operation is given up
     */
    public record Work(
            int clientsPerDc,
            long thinkMicros,
            long lastsMicros,
            int lists,
            int accounts,
            double hot,
            long deadlineMicros) {}

    /**
     * How often each happens in a run.
     *
     * @param kills of a process, with the loss of what it had not made durable, and a restart
     * @param doubleKills of two data centres at one moment
     * @param cuts of links, one way or both, or of a data centre from all
     * @param pauses of a process, up to 10 s
     * @param zombies a process stands still, another one takes its place, and then it goes on
     * @param clockJumps by up to 10 minutes, back later or not
     * @param slowDisks for some seconds
     * @param lostDisks one at a time
     * @param quickRestarts a process dies while only some have heard what it proposed, and is back at once, with the others
     * @param disksAndDeaths a disk is lost, and one who knew what it had accepted dies
     * @param returnsBelowFloor an owner is back after logs were truncated without it, and leads before it knows that
     * @param repairs of tables: what is newer in another data centre's is taken over
     * @param downMicros the least time that a killed process is down
     * @param diskMicros the usual time of a durable write
     */
    public record Faults(
            int kills,
            int doubleKills,
            int cuts,
            int pauses,
            int zombies,
            int clockJumps,
            int slowDisks,
            int lostDisks,
            int quickRestarts,
            int disksAndDeaths,
            int returnsBelowFloor,
            int repairs,
            long downMicros,
            long diskMicros) {
        static Faults none() {
            return new Faults(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1_000, 500);
        }
    }
}
