/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.List;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Settings;

/**
 * What one simulated run does. Everything that is not fixed here is drawn from the seed. {@link Plans} makes them.
 *
 * @param seed decides all chance of the run
 * @param nodes of the cluster
 * @param replicas of each partition, 1..nodes
 * @param writeQuorum w; the read quorum follows
 * @param mode of all reads; with STRICT, writes are strict too
 * @param settings of every node
 * @param bug the mistake that the run makes
 */
public record SimulationPlan(
        long seed,
        int nodes,
        int replicas,
        int writeQuorum,
        Workload workload,
        Links links,
        Faults faults,
        ReadMode mode,
        Settings settings,
        Bug bug) {

    /**
     * @param partitions how many partitions clients work on
     * @param rows per partition
     * @param columns per row; every cell is a register of its own
     * @param sessions closed-loop clients
     * @param operations that all sessions together begin
     * @param readShare of the operations, 0..1
     * @param deleteShare of the writes, 0..1
     * @param moveShare probability that a session moves to another node before an operation
     * @param zipf whether some partitions are much more popular than others
     */
    public record Workload(
            int partitions,
            int rows,
            int columns,
            int sessions,
            int operations,
            double readShare,
            double deleteShare,
            double moveShare,
            boolean zipf) {}

    /**
     * @param oneWayMicros between two nodes; where {@code pairMicros} is empty each link draws its own between half of it
     *     and one and a half times it
     * @param pairMicros the delays of the pairs 0-1, 0-2, 1-2, 0-3 and so on
     * @param jitterShare of the delay, 0..1
     * @param lossShare of messages, 0..1
     * @param duplicateShare of messages, 0..1
     */
    public record Links(
            long oneWayMicros, List<Long> pairMicros, double jitterShare, double lossShare, double duplicateShare) {}

    /**
     * @param clockOffsetMicros largest offset of a node's physical clock; where not 0, clocks jump now and then too
     * @param clockDriftShare largest drift of a clock, such as 0.02
     * @param crashes how many crash and restart faults to inject
     * @param cuts how many network cuts (one-way, two-way, or of a node from all) to inject
     * @param pauses how often a node stands still for 1 to 10 s and then does everything at once
     * @param repairs how often one replica's rows are copied to another
     * @param readersCutOff how often a node is cut off while another one restarts, and meets that one first
     * @param hintDelayMicros after which a mutation that a replica missed is delivered by a hint
     */
    public record Faults(
            long clockOffsetMicros,
            double clockDriftShare,
            int crashes,
            int cuts,
            int pauses,
            int repairs,
            int readersCutOff,
            long hintDelayMicros) {
        public static final Faults NONE = new Faults(0, 0, 0, 0, 0, 0, 0, 15_000_000);
    }

    public SimulationPlan withSettings(Settings changed) {
        return new SimulationPlan(seed, nodes, replicas, writeQuorum, workload, links, faults, mode, changed, bug);
    }

    public SimulationPlan withMode(ReadMode changed) {
        return new SimulationPlan(seed, nodes, replicas, writeQuorum, workload, links, faults, changed, settings, bug);
    }

    public SimulationPlan withBug(Bug changed) {
        return new SimulationPlan(seed, nodes, replicas, writeQuorum, workload, links, faults, mode, settings, changed);
    }

    public SimulationPlan withWorkload(Workload changed) {
        return new SimulationPlan(seed, nodes, replicas, writeQuorum, changed, links, faults, mode, settings, bug);
    }

    public SimulationPlan withFaults(Faults changed) {
        return new SimulationPlan(seed, nodes, replicas, writeQuorum, workload, links, changed, mode, settings, bug);
    }

    public SimulationPlan withLinks(Links changed) {
        return new SimulationPlan(seed, nodes, replicas, writeQuorum, workload, changed, faults, mode, settings, bug);
    }
}
