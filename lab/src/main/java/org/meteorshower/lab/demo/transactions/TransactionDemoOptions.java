/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo.transactions;

import static org.meteorshower.lab.arguments.Arguments.require;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.bench.plan.NetworkSpec;
import org.meteorshower.lab.bench.plan.TransactionEngine;
import org.meteorshower.lab.bench.plan.TransactionMix;
import org.meteorshower.lab.bench.plan.WorkloadSpec;
import org.meteorshower.lab.cluster.CommitLog;
import org.meteorshower.lab.cluster.DelayList;

/**
 * What the demo of transactions shall do. Immutable, checked when made.
 *
 * @param nodesPerDc where they are several, a node is killed and not a data centre
 * @param seconds of each workload
 * @param clients in each data centre
 * @param kill the data centre to kill, or whose node that runs its transactions; null: none
 * @param history folder for what clients saw; null: it is not kept
 */
record TransactionDemoOptions(
        TransactionEngine engine,
        List<String> dcs,
        int nodesPerDc,
        List<Double> delaysMillis,
        int seconds,
        int clients,
        int rows,
        boolean zipfian,
        @Nullable String kill,
        @Nullable Path json,
        @Nullable Path history,
        long seed,
        String firstAddress) {
    private static final int HEAP_MEGABYTES = 384;
    private static final int MOST_NODES_PER_DC = 5;
    private static final int MOST_REPLICAS_PER_DC = 3;
    private static final int MOST_SECONDS = 3_600;
    private static final int MOST_CLIENTS = 500;
    private static final int MOST_ROWS = 1_000_000;
    private static final int ROWS_IN_STEPS_OF = 10;
    private static final int VALUE_BYTES = 100;

    TransactionDemoOptions {
        dcs = List.copyOf(dcs);
        delaysMillis = List.copyOf(delaysMillis);
        require(seconds >= 1 && seconds <= MOST_SECONDS, "--seconds must be 1 to " + MOST_SECONDS);
        require(clients >= 1 && clients <= MOST_CLIENTS, "--clients must be 1 to " + MOST_CLIENTS);
        require(
                rows >= ROWS_IN_STEPS_OF && rows <= MOST_ROWS && rows % ROWS_IN_STEPS_OF == 0,
                "--rows must be " + ROWS_IN_STEPS_OF + " to " + MOST_ROWS + ", in steps of " + ROWS_IN_STEPS_OF);
        require(
                kill == null || dcs.contains(kill),
                "--kill: there is no data centre " + kill + "; there are " + String.join(", ", dcs));
        require(nodesPerDc >= 1 && nodesPerDc <= MOST_NODES_PER_DC, "--nodes-per-dc must be 1 to " + MOST_NODES_PER_DC);
        require(
                nodesPerDc == 1 || engine == TransactionEngine.CATENAE,
                "several nodes in a data centre are for catenae alone");
        require(
                kill == null || nodesPerDc != 2,
                "of two nodes in a data centre none can be killed: both are needed for a majority. Give three, or"
                        + " --no-kill");
        require(
                kill == null || dcs.size() >= 3 || nodesPerDc > 1,
                "a data centre can be killed where a majority is left: give three, or --no-kill");
    }

    NetworkSpec network() {
        NetworkSpec.Shape shape = new NetworkSpec.Shape(
                dcs,
                nodesPerDc,
                Math.min(nodesPerDc, MOST_REPLICAS_PER_DC),
                engine.release().equals(NetworkSpec.OURS),
                HEAP_MEGABYTES,
                // The whole compiler: transactions compute. Of many nodes on one machine it takes all for minutes.
                nodesPerDc == 1 ? List.of("-XX:TieredStopAtLevel=4") : List.of(),
                CommitLog.BATCH,
                engine.release());
        shape.options(firstAddress);
        NetworkSpec network = new NetworkSpec("demo", shape, delaysMillis, 0, List.of());
        network.pairs();
        return network;
    }

    /** Each client begins its next transaction when the last one ended. */
    WorkloadSpec workload(TransactionMix mix) {
        return new WorkloadSpec(
                mix.word(),
                mix == TransactionMix.HOT_ROW ? 1 : rows,
                zipfian,
                0,
                clients,
                0,
                VALUE_BYTES,
                List.of(),
                List.of(),
                mix);
    }

    /** The round trip from a data centre to the nearest majority: no transaction can be faster. */
    double majorityMillis(String dc) {
        List<Double> others = network().pairs().stream()
                .filter(pair -> pair.a().equals(dc) || pair.b().equals(dc))
                .map(DelayList.Pair::delayMillis)
                .sorted()
                .toList();
        int needed = dcs.size() / 2;
        return needed == 0 ? 0 : 2 * others.get(needed - 1);
    }
}
