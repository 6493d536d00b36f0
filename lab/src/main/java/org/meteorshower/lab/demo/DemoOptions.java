/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import static org.meteorshower.lab.arguments.Arguments.require;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterOptions;

/**
 * What to show. Immutable, checked when made.
 *
 * @param cluster what the cluster shall look like
 * @param workload what its clients do
 * @param seconds how long each mode that MeteorShower serves is measured
 * @param modes in the order of the table
 * @param kill data centre to kill in a phase of its own, or null
 * @param json where to write the figures, or null
 * @param history where to write what the clients saw, or null
 * @param keep whether the cluster stays up
 */
record DemoOptions(
        ClusterOptions cluster,
        Workload workload,
        int seconds,
        List<Mode> modes,
        @Nullable String kill,
        @Nullable Path json,
        @Nullable Path history,
        boolean keep) {
    static final int MIN_SECONDS = 2;
    static final int MAX_SECONDS = 3_600;

    DemoOptions {
        modes = List.copyOf(modes);
        require(
                seconds >= MIN_SECONDS && seconds <= MAX_SECONDS,
                "--seconds must be " + MIN_SECONDS + " to " + MAX_SECONDS + ", not " + seconds);
        require(!modes.isEmpty(), "--modes names no mode");
        require(modes.stream().distinct().count() == modes.size(), "--modes names a mode twice");
        require(
                kill == null || cluster.dcs().contains(kill),
                "--kill: no data centre is called " + kill + "; they are " + String.join(", ", cluster.dcs()));
        require(
                kill == null || cluster.dcs().size() >= 3,
                "--kill needs three data centres: of two, the one that is left is no majority");
        require(cluster.plugin() || kill == null, "--kill shows sequential reads go on, which need the plugin");
        require(
                cluster.plugin() || modes.stream().noneMatch(Mode::isServed),
                "without the plugin there is only --modes local_one,quorum");
    }
}
