/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.time.Duration;
import java.util.List;

/** Ends processes: asked first, killed if they do not listen. Leaves none, or says which. */
final class Stopping {
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration AFTER_KILL = Duration.ofSeconds(10);

    private Stopping() {}

    static void gracefully(List<NodeProcess> processes) {
        gracefully(processes, GRACE);
    }

    static void gracefully(List<NodeProcess> processes, Duration grace) {
        for (NodeProcess process : processes) {
            process.signal("TERM");
            process.signal("CONT"); // a paused process would not hear the first
        }
        Waiting.until(grace, () -> processes.stream().noneMatch(NodeProcess::isAlive));
        atOnce(processes);
    }

    static void atOnce(List<NodeProcess> processes) {
        processes.forEach(process -> process.signal("KILL"));
        if (!Waiting.until(AFTER_KILL, () -> processes.stream().noneMatch(NodeProcess::isAlive))) {
            throw new ClusterException("processes survive SIGKILL: "
                    + processes.stream()
                            .filter(NodeProcess::isAlive)
                            .map(NodeProcess::pid)
                            .toList() + "; is their disk hanging?");
        }
    }
}
