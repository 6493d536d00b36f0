/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.Collections;
import java.util.List;
import org.meteorshower.protocol.ReadMode;
import org.meteorshower.protocol.Settings;

/**
 * What one simulated run does. Everything that is not fixed here is drawn from the seed. {@link Plans} makes them.
 *
 * @param seed decides all chance of the run
 * @param modes of the reads, each read draws one; where all are STRICT, writes are strict too
 * @param settings of every node
 * @param bug the mistake that the run makes
 * @param strikes faults that are listed instead of drawn: their names are those of {@code Blow}
 */
public record SimulationPlan(
        long seed,
        Cluster cluster,
        Workload workload,
        Links links,
        Faults faults,
        List<ReadMode> modes,
        Settings settings,
        Bug bug,
        List<Strike> strikes) {
    SimulationPlan(
            long seed,
            Cluster cluster,
            Workload workload,
            Links links,
            Faults faults,
            List<ReadMode> modes,
            Settings settings,
            Bug bug) {
        this(seed, cluster, workload, links, faults, modes, settings, bug, List.of());
    }

    /**
     * Nodes are numbered data centre by data centre. Partition p lives, in each data centre, on as many of its nodes as
     * that has replicas, from the p-th on.
     *
     * @param nodesPerDc at least 1 each
     * @param replicasPerDc 0 to the data centre's nodes; at least one replica in all
     * @param writeQuorum w; the read quorum follows
     * @param tickMicros how often each node's timer fires; at most the dispatch interval
     * @param strictAtHome whether strict reads are answered by leases; elapsed clocks go at different rates then
     */
    public record Cluster(
            List<Integer> nodesPerDc,
            List<Integer> replicasPerDc,
            int writeQuorum,
            long tickMicros,
            boolean strictAtHome) {
        Cluster(List<Integer> nodesPerDc, List<Integer> replicasPerDc, int writeQuorum, long tickMicros) {
            this(nodesPerDc, replicasPerDc, writeQuorum, tickMicros, false);
        }

        Cluster withStrictAtHome() {
            return new Cluster(nodesPerDc, replicasPerDc, writeQuorum, tickMicros, true);
        }

        /** As many data centres of one node each. */
        static Cluster ofSingles(int dcs, int writeQuorum) {
            List<Integer> ones = Collections.nCopies(dcs, 1);
            return new Cluster(ones, ones, writeQuorum, 5_000);
        }

        int nodes() {
            return nodesPerDc.stream().mapToInt(Integer::intValue).sum();
        }

        int replicas() {
            return replicasPerDc.stream().mapToInt(Integer::intValue).sum();
        }

        int dcOf(int node) {
            int dc = 0;
            int first = 0;
            while (node >= first + nodesPerDc.get(dc)) {
                first += nodesPerDc.get(dc++);
            }
            return dc;
        }
    }

    /**
     * @param partitions how many partitions clients work on
     * @param rows per partition
     * @param columns per row; every cell is a register of its own
     * @param sessions closed-loop clients
     * @param operations that all sessions together begin
     * @param readShare of the operations, 0..1
     * @param deleteShare of the writes, 0..1
     * @param batchShare of the writes that are a batch over several partitions, 0..1
     * @param moveShare probability that a session moves to another node before an operation
     * @param stockShare of the sessions that are clients without a token, 0..1: they stay with their coordinator
     * @param zipf whether some partitions are much more popular than others
     * @param newShare probability that, before an operation, a session ends and one that has seen nothing yet begins
     * @param largestBytes of a value; their sizes are drawn, each order of magnitude as often. 0: all are small
     * @param scanShare of the reads that are scans of many partitions, 0..1
     */
    public record Workload(
            int partitions,
            int rows,
            int columns,
            int sessions,
            int operations,
            double readShare,
            double deleteShare,
            double batchShare,
            double moveShare,
            double stockShare,
            boolean zipf,
            double newShare,
            int largestBytes,
            double scanShare) {
        public Workload(
                int partitions,
                int rows,
                int columns,
                int sessions,
                int operations,
                double readShare,
                double deleteShare,
                double batchShare,
                double moveShare,
                double stockShare,
                boolean zipf) {
            this(
                    partitions,
                    rows,
                    columns,
                    sessions,
                    operations,
                    readShare,
                    deleteShare,
                    batchShare,
                    moveShare,
                    stockShare,
                    zipf,
                    0,
                    0,
                    0);
        }

        Workload withNewSessions(double share) {
            return new Workload(
                    partitions,
                    rows,
                    columns,
                    sessions,
                    operations,
                    readShare,
                    deleteShare,
                    batchShare,
                    moveShare,
                    stockShare,
                    zipf,
                    share,
                    largestBytes,
                    scanShare);
        }

        Workload withValuesTo(int bytes) {
            return new Workload(
                    partitions,
                    rows,
                    columns,
                    sessions,
                    operations,
                    readShare,
                    deleteShare,
                    batchShare,
                    moveShare,
                    stockShare,
                    zipf,
                    newShare,
                    bytes,
                    scanShare);
        }

        Workload withScans(double share) {
            return new Workload(
                    partitions,
                    rows,
                    columns,
                    sessions,
                    operations,
                    readShare,
                    deleteShare,
                    batchShare,
                    moveShare,
                    stockShare,
                    zipf,
                    newShare,
                    largestBytes,
                    share);
        }
    }

    /**
     * @param oneWayMicros between two data centres; where {@code pairMicros} is empty each pair draws its own between
     *     half of it and one and a half times it
     * @param pairMicros the delays of the pairs of data centres 0-1, 0-2, 1-2, 0-3 and so on
     * @param asymmetry 0..1: how much longer one direction of a link may take than the other
     * @param jitterShare of the delay, 0..1; messages overtake each other
     * @param tailShare of messages, 0..1, that take up to 20 times the delay
     * @param lossShare of messages, 0..1
     * @param duplicateShare of messages, 0..1
     */
    public record Links(
            long oneWayMicros,
            List<Long> pairMicros,
            double asymmetry,
            double jitterShare,
            double tailShare,
            double lossShare,
            double duplicateShare) {}

    /**
     * @param clockOffsetMicros largest offset of a node's physical clock; where over 10 ms, clocks jump and stand still
     *     too
     * @param clockDriftShare largest drift of a clock, such as 0.02
     * @param crashes how many crash and restart faults to inject; some hit in the middle of a step
     * @param cuts how many network cuts (one-way, two-way, or of a node from all) to inject
     * @param flaps how often a link goes down and up again a dozen times
     * @param pauses how often a node stands still for up to 10 s and then does everything at once
     * @param repairs how often one replica's rows are copied to another
     * @param readRepairs how often a replica is sent, as an old mutation, what another one holds
     * @param readersCutOff how often a node is cut off while another one restarts, and meets that one first
     * @param minorityDown whether as many replicas as writes can do without go down for the last two thirds of the run
     * @param storeForgets whether a crash takes from the store what only the journal still promises
     * @param diskMicros the longest that the store takes for a mutation
     * @param hintDelayMicros after which a mutation that a replica missed is delivered by a hint
     * @param special what only some kinds of plans have
     */
    public record Faults(
            long clockOffsetMicros,
            double clockDriftShare,
            int crashes,
            int cuts,
            int flaps,
            int pauses,
            int repairs,
            int readRepairs,
            int readersCutOff,
            boolean minorityDown,
            boolean storeForgets,
            long diskMicros,
            long hintDelayMicros,
            Special special) {
        public static final Faults NONE =
                new Faults(0, 0, 0, 0, 0, 0, 0, 0, 0, false, false, 300, 15_000_000, Special.NONE);

        Faults withClocks(long offsetMicros, double driftShare) {
            return new Faults(
                    offsetMicros,
                    driftShare,
                    crashes,
                    cuts,
                    flaps,
                    pauses,
                    repairs,
                    readRepairs,
                    readersCutOff,
                    minorityDown,
                    storeForgets,
                    diskMicros,
                    hintDelayMicros,
                    special);
        }

        Faults withDisk(long changedMicros) {
            return new Faults(
                    clockOffsetMicros,
                    clockDriftShare,
                    crashes,
                    cuts,
                    flaps,
                    pauses,
                    repairs,
                    readRepairs,
                    readersCutOff,
                    minorityDown,
                    storeForgets,
                    changedMicros,
                    hintDelayMicros,
                    special);
        }

        /** Without those that may come at any moment. */
        Faults withoutBlows() {
            return new Faults(
                    clockOffsetMicros,
                    clockDriftShare,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    minorityDown,
                    storeForgets,
                    diskMicros,
                    hintDelayMicros,
                    special.withoutBlows());
        }

        Faults withSpecial(Special changed) {
            return new Faults(
                    clockOffsetMicros,
                    clockDriftShare,
                    crashes,
                    cuts,
                    flaps,
                    pauses,
                    repairs,
                    readRepairs,
                    readersCutOff,
                    minorityDown,
                    storeForgets,
                    diskMicros,
                    hintDelayMicros,
                    changed);
        }
    }

    /**
     * @param restartBursts how often a node dies again and again before it has heard what its last life asked for
     * @param repairsCutShort how often a repair brings what one replica alone holds, which is then cut off, to one that
     *     dies
     * @param leftBehindByOne how often one replica alone leaves another one behind, and the third restarts
     * @param halfDeafRestarts how often a node restarts while it does not hear one of the others
     * @param leftBehindByAll how often a node that takes writes is cut off until the others have left it behind
     * @param clocksBehind how often the clock of one node falls behind for a while, while the others stay right
     * @param longOutages how often a node is away for longer than any other can keep what it misses
     * @param moves how nodes come and go
     * @param switching how often the table is disabled and enabled again
     * @param settleMicros how long a store takes for what a peer brings, one mutation after the other; 0: as many at
     *     once as come
     */
    public record Special(
            int restartBursts,
            int repairsCutShort,
            int leftBehindByOne,
            int halfDeafRestarts,
            int leftBehindByAll,
            int clocksBehind,
            int longOutages,
            Moves moves,
            Switching switching,
            long settleMicros) {
        public static final Special NONE = new Special(0, 0, 0, 0, 0);

        Special(
                int restartBursts,
                int repairsCutShort,
                int leftBehindByOne,
                int halfDeafRestarts,
                int leftBehindByAll) {
            this(
                    restartBursts,
                    repairsCutShort,
                    leftBehindByOne,
                    halfDeafRestarts,
                    leftBehindByAll,
                    0,
                    0,
                    Moves.NONE,
                    Switching.NONE,
                    0);
        }

        Special withoutBlows() {
            return new Special(
                    0,
                    0,
                    0,
                    halfDeafRestarts,
                    leftBehindByAll,
                    clocksBehind,
                    longOutages,
                    moves,
                    switching,
                    settleMicros);
        }

        static Special ofMoves(Moves moves) {
            return new Special(0, 0, 0, 0, 0, 0, 0, moves, Switching.NONE, 0);
        }

        static Special ofSwitching(Switching switching) {
            return new Special(0, 0, 0, 0, 0, 0, 0, Moves.NONE, switching, 0);
        }

        static Special ofClocksBehind(int times) {
            return new Special(0, 0, 0, 0, 0, times, 0, Moves.NONE, Switching.NONE, 0);
        }

        static Special ofLongOutages(int times, long settleMicros) {
            return new Special(0, 0, 0, 0, 0, 0, times, Moves.NONE, Switching.NONE, settleMicros);
        }
    }

    /** A change of the ring. */
    public enum Change {
        JOIN,
        LEAVE,
        REPLACE,
        /** A node that nobody hears, and that is alive, is replaced; later it is heard again, and does not know yet. */
        OUST
    }

    /**
     * How nodes join, leave and replace others.
     *
     * @param changes of the ring, one after the other; those that cannot be done are left out
     * @param spares the nodes that are not on the ring as the run begins
     * @param pauseMicros the longest pause between two changes
     * @param lookMicros how often a node looks whether anything is due about a changed ring
     * @param thinkMicros the longest that a session waits between two operations
     * @param slowNews of how many news of the ring and the schema one takes up to 6 s; the others take up to 0.9 s
     * @param live whether a moved table is used again once all follow, and not only once it has been repaired
     * @param otherTableLooks so many looks after the first table a second one of the same nodes goes over; 0: there is
     *     none
     * @param repairMicros the longest that a repair takes, as where much is stored; each its own time
     */
    public record Moves(
            List<Change> changes,
            List<Integer> spares,
            long pauseMicros,
            long lookMicros,
            long thinkMicros,
            int slowNews,
            boolean live,
            int otherTableLooks,
            long repairMicros) {
        public static final Moves NONE = new Moves(List.of(), List.of(), 1, 1_000_000, 0);

        Moves(List<Change> changes, List<Integer> spares, long pauseMicros, long lookMicros, long thinkMicros) {
            this(changes, spares, pauseMicros, lookMicros, thinkMicros, 6);
        }

        Moves(
                List<Change> changes,
                List<Integer> spares,
                long pauseMicros,
                long lookMicros,
                long thinkMicros,
                int slowNews) {
            this(changes, spares, pauseMicros, lookMicros, thinkMicros, slowNews, false, 0, 0);
        }

        Moves lively() {
            return new Moves(
                    changes,
                    spares,
                    pauseMicros,
                    lookMicros,
                    thinkMicros,
                    slowNews,
                    true,
                    otherTableLooks,
                    repairMicros);
        }

        Moves withOtherTable(int looks) {
            return new Moves(
                    changes, spares, pauseMicros, lookMicros, thinkMicros, slowNews, live, looks, repairMicros);
        }

        Moves withRepairsOf(long longestMicros) {
            return new Moves(
                    changes,
                    spares,
                    pauseMicros,
                    lookMicros,
                    thinkMicros,
                    slowNews,
                    live,
                    otherTableLooks,
                    longestMicros);
        }
    }

    /**
     * How the table is disabled and enabled again.
     *
     * @param times how often it is either
     * @param pauseMicros the longest pause between two times
     * @param slowNews of how many news of the schema one takes up to 5 s; the others take up to 0.6 s
     * @param otherTables whether the nodes share other tables, for which they go on telling each other of their status
     * @param driversBehind whether the drivers' clocks are behind the nodes': what they write of the ordinary table may
     *     lose at once
     * @param thinkMicros the longest that a session waits between two operations
     * @param live whether the nodes bring together what they hold, and read it plainly until they have
     */
    public record Switching(
            int times,
            long pauseMicros,
            int slowNews,
            boolean otherTables,
            boolean driversBehind,
            long thinkMicros,
            boolean live) {
        public static final Switching NONE = new Switching(0, 1, 1, true, false, 0, false);

        /** By how much a driver's clock is behind true time. */
        long behindMicros(int session) {
            return driversBehind ? session % 4 * 400_000L : 0;
        }
    }

    public int nodes() {
        return cluster.nodes();
    }

    /**
     * Whether nodes are held to what they may keep on the heap: values have sizes, and outages outlast what can be
     * kept.
     */
    public boolean hasSizes() {
        return workload.largestBytes() > 0;
    }

    /** Whether nodes join and leave. */
    public boolean hasMoves() {
        return !faults.special().moves().equals(Moves.NONE);
    }

    /** Whether the table is disabled and enabled again. */
    public boolean isSwitched() {
        return faults.special().switching().times() > 0;
    }

    /** Whether replicas that bring a table together by themselves repair each partition once for all of them. */
    boolean sharesRepairs() {
        return faults.special().switching().live() ? SwitchingPlans.shares(seed) : hasMoves() && seed % 8 == 6;
    }

    /** Whether the table has more than one name in the course of a run, and is not always served. */
    public boolean hasEpochs() {
        return hasMoves() || isSwitched();
    }

    /** The longest that a session waits between two operations. */
    long thinkMicros() {
        return faults.special().moves().thinkMicros()
                + faults.special().switching().thinkMicros();
    }

    public int writeQuorum() {
        return cluster.writeQuorum();
    }

    /** Whether reads and writes are to be linearizable. */
    public boolean isStrict() {
        return modes.stream().allMatch(mode -> mode.kind() == ReadMode.Kind.STRICT);
    }

    /** Whether physical clocks keep so near to each other that the modes which lean on them hold their promises. */
    public boolean hasGoodClocks() {
        return faults.clockOffsetMicros() <= settings.clockErrorMicros() / 2 && faults.clockDriftShare() < 0.000_01;
    }

    public SimulationPlan withCluster(Cluster changed) {
        return new SimulationPlan(seed, changed, workload, links, faults, modes, settings, bug, strikes);
    }

    public SimulationPlan withSettings(Settings changed) {
        return new SimulationPlan(seed, cluster, workload, links, faults, modes, changed, bug, strikes);
    }

    public SimulationPlan withModes(ReadMode... changed) {
        return new SimulationPlan(seed, cluster, workload, links, faults, List.of(changed), settings, bug, strikes);
    }

    public SimulationPlan withBug(Bug changed) {
        return new SimulationPlan(seed, cluster, workload, links, faults, modes, settings, changed, strikes);
    }

    public SimulationPlan withWorkload(Workload changed) {
        return new SimulationPlan(seed, cluster, changed, links, faults, modes, settings, bug, strikes);
    }

    public SimulationPlan withFaults(Faults changed) {
        return new SimulationPlan(seed, cluster, workload, links, changed, modes, settings, bug, strikes);
    }

    public SimulationPlan withLinks(Links changed) {
        return new SimulationPlan(seed, cluster, workload, changed, faults, modes, settings, bug, strikes);
    }

    /** The same with the faults that may come at any moment as strikes, at other moments than a run of this one has. */
    public SimulationPlan withStrikes() {
        return new SimulationPlan(
                seed, cluster, workload, links, faults.withoutBlows(), modes, settings, bug, Blow.drawn(this));
    }
}
