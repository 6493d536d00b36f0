/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.microbenchmarks;

import java.util.concurrent.TimeUnit;
import org.meteorshower.protocol.PartitionKey;
import org.meteorshower.protocol.Settings;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What the protocol core costs a read, a write and an idle node: steps alone, without locks, network and store. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CoreBenchmark {
    /** A partition with so many mutations that only two of three replicas have. */
    @State(Scope.Thread)
    public static class InFlight {
        @Param({"0", "1", "8", "64"})
        public int inFlight;

        private final Cores cores = new Cores(3, Settings.DEFAULTS);
        private final PartitionKey key = Value.key(1);

        @Setup
        public void writes() {
            for (int i = 0; i < inFlight; i++) {
                Value value = Value.of(key, cores.beginWrite(0, key));
                cores.apply(0, value);
                cores.apply(1, value);
            }
            cores.run(100_000);
        }
    }

    /** Three nodes at work on rows that are written again and again. */
    @State(Scope.Thread)
    public static class AtWork {
        private static final int ROWS = 1_000;
        private final Cores cores = new Cores(3, Settings.DEFAULTS);
        private int row;

        PartitionKey next() {
            row = (row + 1) % ROWS;
            return Value.key(row);
        }
    }

    /** As many nodes as share one partition with each other. */
    @State(Scope.Thread)
    public static class Idle {
        @Param({"3", "9"})
        public int nodes;

        private Cores cores = new Cores(3, Settings.DEFAULTS);

        @Setup
        public void build() {
            cores = new Cores(nodes, Settings.DEFAULTS);
        }
    }

    /** Choosing the cut, and confirming it after the store was read. */
    @Benchmark
    public long read(InFlight state) {
        return state.cores.read(0, state.key);
    }

    /**
     * A write at all three nodes, with its acknowledgements and a tenth of a round of ticks: stamped, announced,
     * retired.
     */
    @Benchmark
    public int writeAtThreeNodes(AtWork state) {
        state.cores.write(0, state.next());
        state.cores.run(1_000);
        return state.cores.records(0);
    }

    /** Ten milliseconds of all nodes with nothing to do: ten ticks each, and a status message from each to each. */
    @Benchmark
    public int idleRound(Idle state) {
        state.cores.run(10_000);
        return state.cores.records(0);
    }
}
