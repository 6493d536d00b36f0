/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterOptions;

/**
 * How large, how long, on what. Immutable, checked when made.
 *
 * @param cluster but for the heaps
 * @param length of the loads of all phases together
 * @param heapMegabytes of a node, where no transactions run
 * @param transactionsHeapMegabytes where they do
 * @param bulkMegabytes what a bulk load loads, unless its time is over before
 * @param inFlight transactions of the bulk load under way
 * @param bulkRate rows a second that the bulk load writes at most; 0: as many as go
 * @param rate rows a second that the sequential load writes at most; 0: as many as go
 * @param settleLimit how long a phase may take until all is as before
 * @param report the folder that gets the figures, the picture, and the logs of nodes that died
 */
record SizeOptions(
        ClusterOptions cluster,
        Duration length,
        List<PhaseKind> phases,
        int heapMegabytes,
        int transactionsHeapMegabytes,
        double bulkMegabytes,
        int inFlight,
        int rowsPerTransaction,
        int bytesPerRow,
        int bulkRate,
        int rate,
        Duration settleLimit,
        @Nullable Path json,
        Path report) {

    SizeOptions {
        phases = List.copyOf(phases);
        require(length.toSeconds() >= 20 && length.toHours() <= 24, "--minutes must be 0.4 to 1440");
        require(!phases.isEmpty(), "--phases names no phase");
        require(bulkMegabytes > 0 && bulkMegabytes <= 1e6, "--megabytes must be above 0 and at most a million");
        require(inFlight >= 1 && inFlight <= 1_000, "--in-flight must be 1 to 1000, not " + inFlight);
        require(
                rowsPerTransaction >= 1 && rowsPerTransaction <= 64,
                "--rows must be 1 to 64, not " + rowsPerTransaction);
        require(bytesPerRow >= 64 && bytesPerRow <= 100_000, "--bytes must be 64 to 100000, not " + bytesPerRow);
        require(rate >= 0, "--rate must not be negative");
        require(bulkRate >= 0, "--bulk-rate must not be negative");
        require(
                cluster.dcs().size() >= 3 && cluster.nodesPerDc() == 1,
                "one data centre at a time is struck and a majority must be left: give --dcs three names at least");
    }

    SizeOptions withBulkMegabytes(double megabytes) {
        return new SizeOptions(
                cluster,
                length,
                phases,
                heapMegabytes,
                transactionsHeapMegabytes,
                megabytes,
                inFlight,
                rowsPerTransaction,
                bytesPerRow,
                bulkRate,
                rate,
                settleLimit,
                json,
                report);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    /** The time is given to those phases that there are, as they share it among all. */
    Duration length(PhaseKind kind) {
        double all = phases.stream().mapToDouble(PhaseKind::share).sum();
        return Duration.ofMillis((long) (length.toMillis() * kind.share() / all));
    }

    ClusterOptions cluster(PhaseKind kind) {
        return cluster.toBuilder()
                .heapMegabytes(kind.transactions() ? transactionsHeapMegabytes : heapMegabytes)
                .build();
    }
}
