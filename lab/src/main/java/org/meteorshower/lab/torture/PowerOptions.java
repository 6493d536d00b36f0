/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.meteorshower.lab.arguments.Arguments.require;

import java.time.Duration;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.CommitLog;
import org.meteorshower.lab.power.PowerDisks;

/**
 * How often the power goes, and what it is that loses it. Immutable, checked when made.
 *
 * @param sync when Cassandra's commit log is forced
 * @param transactions whether transactions run, too
 * @param disks what the disks are like
 * @param seed decides who is struck, when, and what survives unforced
 * @param cuts how often the power goes
 * @param limit after which it does not go once more
 * @param load how long the nodes serve between two of them, on average
 */
record PowerOptions(
        ClusterOptions cluster,
        CommitLog sync,
        boolean transactions,
        PowerDisks.Kind disks,
        long seed,
        int cuts,
        Duration limit,
        Duration load) {
    /** So often the commit log is forced where it is {@code periodic}. */
    static final Duration PERIOD = Duration.ofSeconds(1);

    PowerOptions {
        require(cuts >= 1, "--cuts must be at least 1, not " + cuts);
        require(load.toMillis() >= 100, "--load must be at least 0.1 seconds");
    }
}
