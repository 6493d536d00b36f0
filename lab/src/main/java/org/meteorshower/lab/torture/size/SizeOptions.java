/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import static org.meteorshower.lab.arguments.Arguments.require;

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
 * @param bulk what a bulk load does
 * @param rate rows a second that the sequential load writes at most; 0: as many as go
 * @param settleLimit how long a phase may take until all is as before
 * @param report the folder that gets the figures, the picture, and the logs of nodes that died
 */
record SizeOptions(
        ClusterOptions cluster,
        Heaps heaps,
        Duration length,
        List<PhaseKind> phases,
        BulkOptions bulk,
        int rate,
        Duration settleLimit,
        @Nullable Path json,
        Path report) {

    SizeOptions {
        phases = List.copyOf(phases);
        require(length.toSeconds() >= 20 && length.toHours() <= 24, "--minutes must be 0.4 to 1440");
        require(!phases.isEmpty(), "--phases names no phase");
        require(bulk.megabytes() > 0 && bulk.megabytes() <= 1e6, "--megabytes must be above 0 and at most a million");
        require(rate >= 0, "--rate must not be negative");
        require(
                cluster.dcs().size() >= 3 && cluster.nodesPerDc() == 1,
                "one data centre at a time is struck and a majority must be left: give --dcs three names at least");
    }

    /** Of the loads of this phase. */
    Duration length(PhaseKind kind) {
        return kind.part(length, phases);
    }

    ClusterOptions cluster(PhaseKind kind) {
        return cluster.toBuilder().heapMegabytes(heaps.of(kind)).build();
    }
}
