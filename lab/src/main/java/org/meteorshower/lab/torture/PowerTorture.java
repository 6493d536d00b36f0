/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.RunFolder;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.power.PowerDisks;

/** One run: nodes on disks that forget, whose power goes again and again. For one thread; all of it ends with it. */
final class PowerTorture {
    private static final Duration BOOT_LIMIT = Duration.ofMinutes(3);
    private static final Duration START_LIMIT = Duration.ofMinutes(5);
    private static final Duration REQUEST_LIMIT = Duration.ofSeconds(5);

    private final Installation installation;
    private final PowerOptions options;
    private final Display display;
    private final RunFolder folder;
    private final PowerNotes notes = new PowerNotes();

    PowerTorture(Installation installation, PowerOptions options, Display display) {
        this.installation = installation;
        this.options = options;
        this.display = display;
        folder = new RunFolder(installation, "torture-power");
    }

    /** Throws {@link ClusterException} where it cannot go on; nothing is left running or mounted then. */
    PowerResult run() throws InterruptedException {
        Path claimed = folder.claim(options.cluster());
        Path mounted = claimed.resolveSibling(claimed.getFileName() + "-disks");
        List<String> names = new ArrayList<>();
        options.cluster().dcs().forEach(dc -> {
            for (int i = 1; i <= options.cluster().nodesPerDc(); i++) {
                names.add(dc + "-" + i);
            }
        });
        Thread hook = null;
        try (PowerDisks disks = PowerDisks.mount(mounted, options.disks(), names)) {
            hook = new Thread(disks::close, "unmount");
            Runtime.getRuntime().addShutdownHook(hook);
            LocalCluster cluster =
                    LocalCluster.start(installation, claimed, onDisks(mounted), BOOT_LIMIT, display::say);
            try (DataCentres dataCentres = new DataCentres(cluster.nodes(), REQUEST_LIMIT)) {
                return run(cluster, dataCentres, disks);
            } finally {
                end(cluster);
            }
        } catch (IOException e) {
            throw new ClusterException(String.valueOf(e.getMessage()), e);
        } finally {
            forget(hook);
        }
    }

    /** Does not hide why the run ends. */
    private void end(LocalCluster cluster) {
        display.live("stopping the nodes");
        try {
            cluster.nodes().stream().map(NodeSpec::name).forEach(cluster::killIfRunning);
            cluster.close();
        } catch (ClusterException e) {
            display.say("the nodes do not end: " + e.getMessage());
        }
    }

    private static void forget(@Nullable Thread hook) {
        try {
            if (hook != null) {
                Runtime.getRuntime().removeShutdownHook(hook);
            }
        } catch (IllegalStateException e) {
            // The process is ending already.
        }
    }

    /** The cluster with all that must survive on these disks. */
    private ClusterOptions onDisks(Path mounted) {
        String disk = mounted + "/" + ClusterOptions.NODE;
        Map<String, String> yaml = new LinkedHashMap<>();
        yaml.put("data_file_directories", "[" + disk + "/data]");
        yaml.put("commitlog_directory", disk + "/commitlog");
        yaml.put("saved_caches_directory", disk + "/saved_caches");
        yaml.put("hints_directory", disk + "/hints");
        yaml.put("cdc_raw_directory", disk + "/cdc_raw");
        yaml.putAll(options.sync().options());
        yaml.computeIfPresent("commitlog_sync_period", (option, usual) -> PowerOptions.PERIOD.toMillis() + "ms");
        return options.cluster().toBuilder().cassandraOptions(yaml).build();
    }

    private PowerResult run(LocalCluster cluster, DataCentres dataCentres, PowerDisks disks)
            throws InterruptedException {
        RunClock clock = RunClock.start();
        try (PowerClients clients = PowerClients.begin(options, dataCentres, clock)) {
            notes.wrong.addAll(clients.notRefused(options));
            try {
                cutAgainAndAgain(cluster, disks, clients, clock);
                say(clock, "the power stays; all is looked for once more");
                look(clients, clients.ledger().acknowledged(), 0, clock);
            } catch (ClusterException | DriverException e) {
                notes.wrong.add("after loss of power " + notes.cuts.size() + ": " + e.getMessage());
                return clients.given(options, notes);
            }
            return clients.end(options, notes);
        }
    }

    private void cutAgainAndAgain(LocalCluster cluster, PowerDisks disks, PowerClients clients, RunClock clock)
            throws InterruptedException {
        List<String> nodes = cluster.nodes().stream().map(NodeSpec::name).toList();
        PowerPlan plan = new PowerPlan(options.seed(), nodes, options.load().toMillis());
        PowerSwitch power = new PowerSwitch(cluster, disks, clock);
        List<String> down = List.of();
        int seen = 0;
        while (true) {
            boolean more = notes.cuts.size() < options.cuts()
                    && clock.nanos() < options.limit().toNanos();
            PowerPlan.Cut cut = plan.next(down.size() == nodes.size());
            if (!down.isEmpty()) {
                PowerSwitch.Done early = start(cluster, power, down, cut, more);
                if (early != null) {
                    note(early, clients, clock);
                    down = early.cut().nodes();
                    continue;
                }
                Map<Integer, Long> acknowledged = clients.ledger().acknowledged();
                look(clients, acknowledged, seen, clock);
                seen = acknowledged.size();
                clients.awaitTransaction();
            }
            if (!more) {
                return;
            }
            if (!cut.isEarly()) {
                Thread.sleep(cut.afterMillis());
                PowerSwitch.Done done = power.off(cut);
                note(done, clients, clock);
                down = cut.nodes();
            } else {
                down = List.of();
            }
        }
    }

    private PowerSwitch.@Nullable Done start(
            LocalCluster cluster, PowerSwitch power, List<String> down, PowerPlan.Cut cut, boolean more)
            throws InterruptedException {
        Runnable start = () -> cluster.restart(down, START_LIMIT, line -> {});
        if (more && cut.isEarly()) {
            return power.startAndOff(cut, start);
        }
        start.run();
        return null;
    }

    private void note(PowerSwitch.Done done, PowerClients clients, RunClock clock) {
        notes.cuts.add(done);
        say(
                clock,
                String.format(
                        Locale.ROOT,
                        "%4d  %s%s: %,d pages and %,d changes of folders forgotten%s; %s",
                        notes.cuts.size(),
                        String.join(", ", done.cut().nodes()),
                        done.cut().isEarly() ? ", starting" : "",
                        done.loss().pages(),
                        done.loss().changes(),
                        done.cut().share() > 0
                                ? String.format(
                                        Locale.ROOT,
                                        ", %.0f %% kept",
                                        100 * done.cut().share())
                                : "",
                        clients.progress()));
    }

    /** Whether all these rows are there, but for the first ones, which have been looked at before. */
    private void look(PowerClients clients, Map<Integer, Long> acknowledged, int seen, RunClock clock)
            throws InterruptedException {
        List<Integer> rows = acknowledged.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .skip(seen)
                .map(Map.Entry::getKey)
                .toList();
        for (int id : clients.ledger().lost(clients.dc(notes.cuts.size()), rows)) {
            if (notes.isNew(id)) {
                say(clock, "      LOST " + notes.lost(id, acknowledged.getOrDefault(id, 0L)));
            }
        }
    }

    private void say(RunClock clock, String line) {
        display.say(clock.stamp() + line);
    }
}
