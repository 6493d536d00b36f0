/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.meteorshower.checker.Operation;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.console.Display;

/** Kills the nodes of one data centre while all clients work, and starts them again. For one thread and one run. */
final class Outage {
    static final Mode MODE = Mode.SEQUENTIAL;

    private static final long BEFORE_MILLIS = 2_000;
    private static final long DOWN_MILLIS = 6_000;
    private static final long PHASE_MILLIS = 20_000;
    private static final Duration RESTART_LIMIT = Duration.ofSeconds(60);

    private final LocalCluster cluster;
    private final String dc;
    private final Display display;
    private long killedNanos;
    private long backNanos;

    Outage(LocalCluster cluster, String dc, Display display) {
        this.cluster = cluster;
        this.dc = dc;
        this.display = display;
    }

    OutageReport run(PhaseRunner runner, List<Participant> participants, double readShare, long epochNanos) {
        ModeStats stats = new ModeStats(cluster.options().dcs());
        Phase phase = new Phase(MODE, 1, readShare, BEFORE_MILLIS, PHASE_MILLIS);
        runner.run(phase, stats, this::step);
        if (backNanos == 0) {
            restart();
        }
        display.say("  " + TablePrinter.line(phase, stats));
        OperationStats total = stats.total();
        long end = System.nanoTime();
        return new OutageReport(
                dc,
                (backNanos - killedNanos) / 1e9,
                total.succeeded(),
                total.failures(),
                total.firstFailure(),
                longest(participants, p -> !p.home().equals(dc) && !p.moves(), epochNanos, end),
                longest(participants, p -> p.home().equals(dc), epochNanos, end));
    }

    /** Measured is what comes after the kill. */
    private void step(PhaseWindow window) {
        long now = System.nanoTime();
        if (killedNanos == 0 && now - window.measureNanos() >= 0) {
            display.say("  killing " + String.join(", ", nodes()) + " with SIGKILL, its clients in the middle of it");
            killedNanos = System.nanoTime();
            nodes().forEach(cluster::kill);
        } else if (killedNanos != 0
                && backNanos == 0
                && now - killedNanos >= TimeUnit.MILLISECONDS.toNanos(DOWN_MILLIS)) {
            restart();
        }
    }

    /** The clients go on meanwhile, on threads of their own. */
    private void restart() {
        nodes().forEach(node -> cluster.restart(node, RESTART_LIMIT, line -> display.say("  " + line)));
        backNanos = System.nanoTime();
    }

    private List<String> nodes() {
        return cluster.nodesOf(dc);
    }

    private double longest(
            List<Participant> participants, Predicate<Participant> which, long epochNanos, long endNanos) {
        long from = killedNanos - epochNanos;
        long until = Math.min(endNanos, killedNanos + TimeUnit.MILLISECONDS.toNanos(PHASE_MILLIS)) - epochNanos;
        return participants.stream()
                        .filter(which)
                        .mapToLong(p -> longestSilence(p.log(MODE).operations(), from, until))
                        .max()
                        .orElse(0)
                / 1e6;
    }

    /** The longest time between two answers, in nanoseconds, of those from {@code from} to {@code until}. */
    static long longestSilence(List<Operation> operations, long from, long until) {
        long longest = 0;
        long last = from;
        for (Operation op : operations) {
            if (op.status() == Operation.Status.OK && op.endNanos() > from && op.endNanos() <= until) {
                longest = Math.max(longest, op.endNanos() - last);
                last = op.endNanos();
            }
        }
        return Math.max(longest, until - last);
    }
}
