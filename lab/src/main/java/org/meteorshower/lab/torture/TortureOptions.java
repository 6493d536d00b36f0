/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.meteorshower.lab.arguments.Arguments.require;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterOptions;

/**
 * What to do to whom, for how long, whatever the clients do. Immutable, checked when made.
 *
 * @param seed decides faults, their order and their lengths
 * @param timeline where the picture goes
 * @param history where what the clients saw goes; null: nowhere, unless something is wrong
 */
record TortureOptions(
        ClusterOptions cluster,
        Duration length,
        long seed,
        List<FaultKind> faults,
        Path timeline,
        @Nullable Path history) {

    TortureOptions {
        faults = List.copyOf(faults);
        require(length.toSeconds() >= 20 && length.toHours() <= 24, "--minutes must be 0.4 to 1440");
        require(!faults.isEmpty(), "--faults names no fault");
    }
}
