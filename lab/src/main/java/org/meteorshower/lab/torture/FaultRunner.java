/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.meteorshower.lab.cluster.DelayList;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.Waiting;
import org.meteorshower.lab.cluster.WanLinks;

/** Makes faults happen, one after the other, and undoes each. For one thread. */
final class FaultRunner {
    private static final Duration RESTART_LIMIT = Duration.ofMinutes(2);
    private static final Duration WITHOUT_PLUGIN_LIMIT = Duration.ofSeconds(3);
    private static final Duration BETWEEN_VERSIONS = Duration.ofSeconds(3);
    private static final Map<String, String> OLDER = Map.of("transport.newest_version", "1");
    private static final int SLOWER = 4;
    private static final double LEAST_SLOW_MILLIS = 40;

    private final LocalCluster cluster;
    private final WanLinks links;
    private final FaultPlan plan;
    private final RunClock clock;
    private final Operator operator;
    private final Consumer<String> say;
    private final List<FaultSpan> spans = new ArrayList<>();

    /** The node that the last fault struck, where it struck one. */
    private String struck = "";

    /** @param say told of each fault as it begins */
    FaultRunner(Torture.Scene scene, FaultPlan plan, Operator operator, Consumer<String> say) {
        this.cluster = scene.cluster();
        this.clock = scene.clock();
        this.plan = plan;
        this.operator = operator;
        this.say = say;
        links = new WanLinks(cluster);
    }

    /** Goes on until the time is over and the last fault is undone. */
    void run(long endNanos) throws InterruptedException {
        while (true) {
            Fault fault = plan.next();
            if (System.nanoTime() + Duration.ofMillis(fault.quietMillis()).toNanos() - endNanos >= 0) {
                return;
            }
            Thread.sleep(fault.quietMillis());
            for (Fault step : operator.steps(fault)) {
                operator.prepare(step);
                strike(step);
            }
        }
    }

    private void strike(Fault fault) throws InterruptedException {
        long start = clock.nanos();
        say.accept(new FaultSpan(fault, start, start, start).title());
        try {
            begin(fault);
            if (!fault.kind().isChange()) {
                Thread.sleep(fault.lengthMillis());
            }
        } finally {
            long undone = clock.nanos();
            undo(fault);
            spans.add(new FaultSpan(fault, start, undone, clock.nanos()));
        }
    }

    private void begin(Fault fault) {
        switch (fault.kind()) {
            case KILL, DC_OUTAGE -> cluster.nodesOf(fault.dc()).forEach(cluster::kill);
            case REPLACE -> {
                struck = cluster.nodesOf(fault.dc()).get(0);
                cluster.kill(struck);
            }
            case OUTAGE -> allNodes(cluster::kill);
            case KILL_RUNNER -> {
                struck = operator.runnerOf(fault.dc());
                cluster.kill(struck);
            }
            case PAUSE_RUNNER -> {
                struck = operator.runnerOf(fault.dc());
                cluster.pause(struck);
            }
            case PAUSE -> cluster.nodesOf(fault.dc()).forEach(cluster::pause);
            case CUT -> links.cut(fault.dc(), null, false);
            case MUTE -> links.cut(fault.dc(), null, true);
            case SLOW -> setLinks(fault.dc(), SLOWER, 0);
            case LOSS -> setLinks(fault.dc(), 1, fault.amount());
            case CLOCK -> cluster.nodesOf(fault.dc()).forEach(node -> links.clock(node, fault.amount()));
            case FULL_DISK -> cluster.nodesOf(fault.dc()).forEach(cluster::fillDisk);
            case SLOW_DISK -> cluster.nodesOf(fault.dc()).forEach(node -> links.disk(node, fault.amount()));
            case DISABLE -> operator.disable(fault.dc());
            case JOIN, DECOMMISSION, ENABLE, RF -> operator.change(fault);
            case STOP, STOP_RUNNER, ROLLING_RESTART, WITHOUT_PLUGIN, UPGRADE -> {} // what undoes it ends them first
        }
    }

    private void undo(Fault fault) {
        switch (fault.kind()) {
            case KILL, STOP -> cluster.nodesOf(fault.dc()).forEach(this::restart);
            case DC_OUTAGE -> {
                cluster.nodesOf(fault.dc()).forEach(this::restart);
                operator.awaitFilled();
            }
            case FULL_DISK ->
                cluster.nodesOf(fault.dc()).forEach(node -> {
                    cluster.killIfRunning(node); // it may have ended by itself
                    restart(node);
                });
            case ROLLING_RESTART, OUTAGE -> allNodes(this::restart);
            case KILL_RUNNER -> restart(struck);
            case STOP_RUNNER -> restart(operator.runnerOf(fault.dc()));
            case PAUSE_RUNNER -> cluster.resume(struck);
            case PAUSE -> cluster.nodesOf(fault.dc()).forEach(cluster::resume);
            case CUT, MUTE -> links.heal();
            case SLOW, LOSS -> setLinks(fault.dc(), 1, 0);
            case CLOCK -> cluster.nodesOf(fault.dc()).forEach(node -> links.clock(node, 0));
            case SLOW_DISK -> cluster.nodesOf(fault.dc()).forEach(node -> links.disk(node, 0));
            case REPLACE -> replace(struck);
            case DISABLE -> operator.enable(fault.dc());
            case UPGRADE -> {
                allNodes(node -> cluster.restart(node, OLDER, RESTART_LIMIT, line -> {}));
                Waiting.pause(BETWEEN_VERSIONS);
                allNodes(this::restart);
            }
            case JOIN, DECOMMISSION, ENABLE, RF -> {} // done, and not undone
            case WITHOUT_PLUGIN ->
                cluster.options().dcs().forEach(dc -> cluster.nodesOf(dc).forEach(this::withoutPlugin));
        }
    }

    /** Its partitions count as moved: the table is served again when all nodes have followed and repaired them. */
    private void replace(String node) {
        NodeSpec fresh = cluster.replacementOf(node);
        cluster.replace(node, fresh, RESTART_LIMIT, line -> {});
        operator.replaced(fresh);
    }

    /** What it was written meanwhile it told nobody: it counts again when the nodes have repaired it. */
    private void withoutPlugin(String node) {
        cluster.restartWithoutPlugin(node, RESTART_LIMIT, line -> {});
        Waiting.pause(WITHOUT_PLUGIN_LIMIT);
        restart(node);
        operator.awaitFilled();
    }

    private void allNodes(Consumer<String> what) {
        cluster.options().dcs().forEach(dc -> cluster.nodesOf(dc).forEach(what));
    }

    private void restart(String node) {
        cluster.restart(node, RESTART_LIMIT, line -> {});
    }

    private void setLinks(String dc, int times, double loss) {
        DelayList.pairs(cluster.options().dcs(), cluster.options().delaysMillis()).stream()
                .filter(pair -> pair.a().equals(dc) || pair.b().equals(dc))
                .forEach(pair -> {
                    double delay =
                            times == 1 ? pair.delayMillis() : Math.max(LEAST_SLOW_MILLIS, times * pair.delayMillis());
                    links.set(pair.a(), pair.b(), delay, times == 1 ? 0 : delay / 2, loss, false);
                });
    }

    List<FaultSpan> spans() {
        return List.copyOf(spans);
    }
}
