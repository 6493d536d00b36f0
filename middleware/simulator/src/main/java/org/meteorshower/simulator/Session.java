/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.meteorshower.protocol.PartitionKey;

/**
 * A closed-loop client: one operation at a time, with its token, at its node or, now and then, at another one. A stock
 * client has no token and stays with its node, which holds one for all of them; when that node restarts a new session
 * begins.
 */
final class Session {
    static final long TIMEOUT_MICROS = 2_000_000;

    /** Made once: keys that are the same object are found equal at once, and most partitions' numbers are small. */
    private static final List<PartitionKey> KEYS =
            IntStream.range(0, 1_024).mapToObj(Session::newKey).toList();

    /** What all sessions of a run share. */
    record Surroundings(
            Scheduler scheduler,
            SimulationPlan plan,
            List<SimulatedNode> nodes,
            Network network,
            Recorder recorder,
            Oracle oracle,
            ClockWatch clocks,
            FaultInjector faults,
            SimulationResult result,
            Trace trace) {}

    String name;
    final Scheduler scheduler;
    final SplittableRandom random;
    final SimulationPlan plan;
    final Network network;
    final Recorder recorder;
    final Oracle oracle;
    final ClockWatch clocks;
    final SimulationResult result;
    final Scheduler.Delay writeTimeout;
    final Scheduler.Delay readTimeout;
    final Scheduler.Delay untilHint;
    private final List<SimulatedNode> nodes;
    private final FaultInjector faults;
    final Trace trace;
    SimulatedNode node;
    private final int number;
    private final boolean stock;
    private int sinceStart;
    private int generation;
    private long tokenMicros;
    private long current;
    boolean busy;

    Session(int number, SplittableRandom random, Surroundings around) {
        this.number = number;
        this.name = "s" + number;
        this.random = random;
        this.scheduler = around.scheduler;
        this.plan = around.plan;
        this.writeTimeout = scheduler.delay(TIMEOUT_MICROS);
        this.readTimeout = scheduler.delay(2 * TIMEOUT_MICROS);
        this.untilHint = scheduler.delay(plan.faults().hintDelayMicros());
        this.nodes = around.nodes;
        this.network = around.network;
        this.recorder = around.recorder;
        this.oracle = around.oracle;
        this.clocks = around.clocks;
        this.faults = around.faults;
        this.result = around.result;
        this.trace = around.trace;
        this.node = nodes.get(number % nodes.size());
        this.stock = random.nextDouble() < plan.workload().stockShare();
    }

    void run() {
        SimulationPlan.Workload workload = plan.workload();
        if (result.begun >= workload.operations()) {
            return;
        }
        faults.begun(++result.begun);
        if (!stock && (random.nextDouble() < workload.moveShare() || !node.isServing())) {
            node = nodes.get(random.nextInt(nodes.size()));
        }
        if (!node.isServing()) {
            scheduler.after(50_000, this::run);
            return;
        }
        if (stock && node.starts != sinceStart) {
            sinceStart = node.starts;
            beginAnew(sinceStart);
        } else if (!stock && workload.newShare() > 0 && random.nextDouble() < workload.newShare()) {
            tokenMicros = 0;
            beginAnew(++generation);
        }
        busy = true;
        current++;
        PartitionKey key = key(partition(workload));
        if (node.table().isOrdinary()) {
            new OrdinaryOperation(this, current, key, random.nextDouble() < workload.readShare()).begin();
        } else if (random.nextDouble() < workload.readShare()) {
            if (workload.scanShare() > 0 && random.nextDouble() < workload.scanShare()) {
                new ScanOperation(this, current).begin();
            } else {
                new ReadOperation(this, current, key).begin();
            }
        } else {
            new WriteOperation(this, current, keys(key)).begin();
        }
    }

    private void beginAnew(int number) {
        name = name.replaceFirst("\\..*", "") + "." + number;
    }

    /** Of a write: mostly the one partition, of a batch several. */
    private Set<PartitionKey> keys(PartitionKey key) {
        Set<PartitionKey> keys = new LinkedHashSet<>();
        keys.add(key);
        if (plan.workload().batchShare() > 0
                && random.nextDouble() < plan.workload().batchShare()) {
            for (int more = 1 + random.nextInt(2); more > 0; more--) {
                keys.add(key(partition(plan.workload())));
            }
        }
        return keys;
    }

    /** The token that goes with the next request. */
    long tokenMicros() {
        long token = stock ? node.sharedTokenMicros : tokenMicros;
        if (plan.bug() == Bug.TOKEN_NOT_AUTHENTICATED && random.nextInt(10) == 0) {
            return token - Math.min(token, random.nextLong(2_000_000));
        }
        return token;
    }

    /** What it has seen, whatever it says of that. */
    long seenMicros() {
        return tokenMicros;
    }

    /** Whatever the session does next comes after this cut. */
    void saw(SimulatedNode coordinator, long cutMicros) {
        tokenMicros = Math.max(tokenMicros, cutMicros);
        if (stock && plan.bug() != Bug.COORDINATOR_TOKEN_MISSING) {
            coordinator.sharedTokenMicros = Math.max(coordinator.sharedTokenMicros, cutMicros);
        }
    }

    /** An answer that Cassandra gave by itself: a token comes with it where the client speaks of sessions. */
    void sawOrdinary(long overSinceMicros) {
        tokenMicros = Math.max(tokenMicros, overSinceMicros);
    }

    int number() {
        return number;
    }

    void note(Supplier<String> what) {
        trace.note(scheduler.nowMicros(), () -> name + " " + what.get());
    }

    /** How long an operation took, or how long it was waited for, at a node that is up. */
    void waited(SimulatedNode coordinator, long startMicros) {
        if (coordinator.isUp()) {
            result.longestMicros = Math.max(result.longestMicros, scheduler.nowMicros() - startMicros);
        }
        if (startMicros >= faults.minorityDownSinceMicros() && coordinator.isUp()) {
            result.longestWithMinorityDownMicros =
                    Math.max(result.longestWithMinorityDownMicros, scheduler.nowMicros() - startMicros);
        }
    }

    private int partition(SimulationPlan.Workload workload) {
        if (!workload.zipf()) {
            return random.nextInt(workload.partitions());
        }
        // About 1/k for the k-th most popular.
        return (int) Math.exp(random.nextDouble() * Math.log(workload.partitions() + 1.0)) - 1;
    }

    static PartitionKey key(int partition) {
        return partition < KEYS.size() ? KEYS.get(partition) : newKey(partition);
    }

    private static PartitionKey newKey(int partition) {
        return new PartitionKey(SimulatedNode.TABLE, new byte[] {(byte) (partition >> 8), (byte) partition});
    }

    static int partitionOf(PartitionKey key) {
        return (key.bytes()[0] & 0xff) * 256 + (key.bytes()[1] & 0xff);
    }

    boolean isCurrent(long operation) {
        return operation == current && busy;
    }

    /** The operation is over, one way or the other. */
    void next(long operation) {
        if (isCurrent(operation)) {
            busy = false;
            long thinkMicros = plan.thinkMicros();
            scheduler.after(random.nextInt(2_000) + (thinkMicros == 0 ? 0 : random.nextLong(thinkMicros)), this::run);
        }
    }

    /** The table is not served here now: the session tries it at another node a little later, with the same token. */
    void refused(long operation) {
        if (isCurrent(operation) && plan.hasEpochs()) {
            result.refused++;
            node = stock ? node : nodes.get(random.nextInt(nodes.size()));
            scheduler.after(random.nextInt(200_000), () -> next(operation));
        } else {
            next(operation);
        }
    }
}
