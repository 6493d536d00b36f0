/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Settings;

/**
 * What one simulated run does. Everything that is not fixed here is drawn from the seed.
 *
 * @param seed decides all chance of the run
 * @param nodes one replica each; all of them hold every partition
 * @param writeQuorum w; the read quorum follows
 * @param partitions how many partitions clients work on
 * @param rows per partition
 * @param columns per row; every cell is a register of its own
 * @param sessions closed-loop clients
 * @param operations that all sessions together begin
 * @param readShare of the operations, 0..1
 * @param deleteShare of the writes, 0..1
 * @param oneWayMicros between two nodes; each link draws its own between half of it and one and a half times it
 * @param jitterShare of the delay, 0..1
 * @param lossShare of messages, 0..1
 * @param moveShare probability that a session moves to another node before an operation
 * @param clockOffsetMicros largest offset of a node's physical clock
 * @param clockDriftShare largest drift of a clock, such as 0.02
 * @param crashes how many crash and restart faults to inject
 * @param partitionsOfNetwork how many cuts (one-way, two-way, or of a node from all) to inject
 * @param hintDelayMicros after which a mutation that a replica missed is delivered by a hint
 * @param mode of all reads; with STRICT, writes are strict too
 * @param settings of every node
 */
public record SimulationPlan(
        long seed,
        int nodes,
        int writeQuorum,
        int partitions,
        int rows,
        int columns,
        int sessions,
        int operations,
        double readShare,
        double deleteShare,
        long oneWayMicros,
        double jitterShare,
        double lossShare,
        double moveShare,
        long clockOffsetMicros,
        double clockDriftShare,
        int crashes,
        int partitionsOfNetwork,
        long hintDelayMicros,
        ReadMode mode,
        Settings settings) {

    /** Three data centres, 50 ms apart, four hot rows, no faults. */
    public static SimulationPlan calm(long seed) {
        return new SimulationPlan(
                seed,
                3,
                2,
                4,
                1,
                1,
                12,
                4_000,
                0.5,
                0,
                50_000,
                0.02,
                0,
                0,
                0,
                0,
                0,
                0,
                15_000_000,
                ReadMode.SEQUENTIAL,
                Settings.DEFAULTS);
    }

    /** A cluster, a workload and faults drawn from the seed. */
    public static SimulationPlan random(long seed) {
        var random = new java.util.SplittableRandom(seed);
        int nodes = random.nextInt(10) < 6 ? 3 : 1 + random.nextInt(5);
        int quorum = random.nextInt(8) == 0 ? 1 : nodes / 2 + 1;
        boolean faults = random.nextInt(4) != 0;
        return new SimulationPlan(
                seed,
                nodes,
                quorum,
                1 + random.nextInt(4),
                1 + random.nextInt(2),
                1 + random.nextInt(2),
                6 + random.nextInt(20),
                1_500 + random.nextInt(1_500),
                0.3 + 0.5 * random.nextDouble(),
                random.nextBoolean() ? 0 : 0.1,
                1_000L + random.nextInt(80_000),
                random.nextBoolean() ? 0.02 : 0.5,
                faults && random.nextBoolean() ? 0.02 : 0,
                random.nextBoolean() ? 0 : 0.1,
                random.nextBoolean() ? 0 : random.nextInt(4) == 0 ? 120_000_000L : 50_000,
                random.nextBoolean() ? 0 : 0.02,
                faults ? random.nextInt(4) : 0,
                faults ? random.nextInt(5) : 0,
                1_000_000L + random.nextInt(15_000_000),
                ReadMode.SEQUENTIAL,
                random.nextInt(4) == 0 ? withoutHistory() : Settings.DEFAULTS);
    }

    private static Settings withoutHistory() {
        Settings d = Settings.DEFAULTS;
        return new Settings(
                d.dispatchIntervalMicros(),
                d.minFlushMicros(),
                0,
                16,
                16,
                d.clockErrorMicros(),
                d.maxAheadMicros(),
                d.ceilingStepMicros(),
                false,
                false,
                d.settleAfterMicros(),
                d.pullAfterMicros(),
                d.streamTimeoutMicros(),
                d.maxRecords(),
                d.maxWaitingReads(),
                8);
    }

    public SimulationPlan withSettings(Settings changed) {
        return new SimulationPlan(
                seed,
                nodes,
                writeQuorum,
                partitions,
                rows,
                columns,
                sessions,
                operations,
                readShare,
                deleteShare,
                oneWayMicros,
                jitterShare,
                lossShare,
                moveShare,
                clockOffsetMicros,
                clockDriftShare,
                crashes,
                partitionsOfNetwork,
                hintDelayMicros,
                mode,
                changed);
    }

    public SimulationPlan withMode(ReadMode changed) {
        return new SimulationPlan(
                seed,
                nodes,
                writeQuorum,
                partitions,
                rows,
                columns,
                sessions,
                operations,
                readShare,
                deleteShare,
                oneWayMicros,
                jitterShare,
                lossShare,
                moveShare,
                clockOffsetMicros,
                clockDriftShare,
                crashes,
                partitionsOfNetwork,
                hintDelayMicros,
                changed,
                settings);
    }

    public SimulationPlan withWorkload(int manyPartitions, double shareOfReads, int howMany) {
        return new SimulationPlan(
                seed,
                nodes,
                writeQuorum,
                manyPartitions,
                rows,
                columns,
                sessions,
                howMany,
                shareOfReads,
                deleteShare,
                oneWayMicros,
                jitterShare,
                lossShare,
                moveShare,
                clockOffsetMicros,
                clockDriftShare,
                crashes,
                partitionsOfNetwork,
                hintDelayMicros,
                mode,
                settings);
    }
}
