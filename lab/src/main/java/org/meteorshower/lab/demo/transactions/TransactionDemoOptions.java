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
 * @param seconds of each workload
 * @param clients in each data centre
 * @param kill the data centre to kill; null: none
 * @param history folder for what clients saw; null: it is not kept
 */
record TransactionDemoOptions(
        TransactionEngine engine,
        List<String> dcs,
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
        require(
                kill == null || dcs.size() >= 3,
                "a data centre can be killed where a majority is left: give three, or --no-kill");
    }

    NetworkSpec network() {
        NetworkSpec.Shape shape = new NetworkSpec.Shape(
                dcs,
                1,
                1,
                engine.release().equals(NetworkSpec.OURS),
                HEAP_MEGABYTES,
                // The whole compiler: transactions compute.
                List.of("-XX:TieredStopAtLevel=4"),
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
