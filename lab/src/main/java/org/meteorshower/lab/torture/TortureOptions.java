/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterOptions;

/**
 * What to do to whom, for how long.
 *
 * @param seed decides faults, their order and their lengths, and what the sessions do
 * @param operationsPerSecond what all sessions together do at most
 * @param timeline where the picture goes
 */
record TortureOptions(
        ClusterOptions cluster,
        Duration length,
        long seed,
        List<FaultKind> faults,
        int sessions,
        int rows,
        double readShare,
        double operationsPerSecond,
        @Nullable Path json,
        Path timeline,
        @Nullable Path history) {

    TortureOptions {
        require(length.toSeconds() >= 20 && length.toHours() <= 24, "--minutes must be 0.4 to 1440");
        require(sessions >= 1 && sessions <= 1_000, "--sessions must be 1 to 1000, not " + sessions);
        require(rows >= 1 && rows <= 1_000_000, "--rows must be 1 to 1000000, not " + rows);
        require(readShare >= 0 && readShare <= 1, "--read-share must be 0 to 1, not " + readShare);
        require(
                operationsPerSecond >= 1 && operationsPerSecond <= 1e6,
                "--rate must be 1 to 1000000, not " + operationsPerSecond);
        require(!faults.isEmpty(), "--faults names no fault");
        require(
                cluster.dcs().size() >= 3,
                "faults strike one data centre at a time and a majority must be left: at least three, not "
                        + cluster.dcs().size());
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(otherwise);
        }
    }
}
