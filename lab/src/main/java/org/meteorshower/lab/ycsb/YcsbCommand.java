/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ycsb;

import com.datastax.oss.driver.api.core.DriverException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.arguments.ClusterPlace;
import org.meteorshower.lab.arguments.ExitCodes;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.DelayList;
import org.meteorshower.lab.cluster.LocalCluster;
import org.meteorshower.lab.cluster.NodeStatus;
import org.meteorshower.lab.cluster.RunFolder;
import org.meteorshower.lab.console.Display;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code meteor ycsb}. */
@Command(
        name = "ycsb",
        mixinStandardHelpOptions = true,
        description = {
            "YCSB, the usual benchmark for such stores, against nodes named by --hosts, a running ./meteor cluster, or one",
            "that is started for it and stopped again (--cluster). Makes the table where it is missing, and enables it for",
            "the modes of MeteorShower."
        },
        footer = {
            "",
            "Workloads: a to f, YCSB's own; uniform and zipfian, the thesis's half reads, half updates; or a file.",
            "Modes of plain Cassandra, on a table that is not enabled (keyspace ycsb_plain): local_one, quorum, all",
            "  (reads ALL, writes ONE). Of MeteorShower (keyspace ycsb): sequential, meteorshower1, meteorshower2, strict.",
            "Scans (workload e) are Cassandra's own QUORUM reads in every mode of MeteorShower.",
            "",
            "Examples:",
            "  ./meteor ycsb run a --cluster --delay 50              three data centres, loaded, measured, stopped",
            "  ./meteor cluster start --delay 50                     or one that stays:",
            "  ./meteor ycsb load a --mode quorum",
            "  ./meteor ycsb run uniform --mode quorum --threads 24 --operations 20000",
            "  ./meteor ycsb run b --dc all --target 500             clients in every data centre, 500 operations a second",
            "  ./meteor ycsb run a -p dataintegrity=true -p fieldlengthdistribution=constant",
            "  ./meteor ycsb run a --hosts 10.0.0.1,10.0.0.2 --mode strict",
            ExitCodes.TEXT
        })
public final class YcsbCommand implements Callable<Integer> {
    private static final Duration BOOT_LIMIT = Duration.ofMinutes(2);

    /** YCSB's phases. */
    enum Phase {
        load,
        run
    }

    @Parameters(index = "0", paramLabel = "load|run", description = "write the rows, or run the workload on them")
    private Phase phase = Phase.run;

    @Parameters(index = "1", paramLabel = "WORKLOAD", description = "a, b, c, d, e, f, uniform, zipfian, or a file")
    private String workload = "";

    @Option(names = "--mode", paramLabel = "MODE", description = "how rows are read (default: sequential)")
    private String mode = "sequential";

    @Option(
            names = "--dc",
            split = ",",
            paramLabel = "NAME",
            description = "data centres where the clients are, in turn, or all (default: that of the first node)")
    private List<String> dcs = List.of();

    @Option(names = "--threads", paramLabel = "N", description = "clients (default: 24)")
    private int threads = 24;

    @Option(names = "--records", paramLabel = "N", description = "rows (default: the workload's, 1000)")
    private @Nullable Integer records;

    @Option(names = "--operations", paramLabel = "N", description = "operations (default: the workload's, 10000)")
    private @Nullable Integer operations;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "end after that time, done or not (default: when all operations are done)")
    private @Nullable Integer seconds;

    @Option(
            names = "--target",
            paramLabel = "N",
            description = "operations a second, of all clients together; latencies are then told from the moment an"
                    + " operation should have begun, too (default: as many as they can)")
    private @Nullable Integer target;

    @Option(
            names = "-p",
            paramLabel = "NAME=VALUE",
            description = "a property of YCSB's or of a binding's (ycsb-binding/README.md); wins; may be repeated")
    private Map<String, String> properties = new LinkedHashMap<>();

    @Option(names = "--hosts", split = ",", paramLabel = "HOST", description = "nodes of a cluster of your own")
    private List<String> hosts = List.of();

    @Mixin
    private ClusterPlace place = new ClusterPlace();

    @Option(names = "--cluster", description = "start a cluster for it, and stop it afterwards")
    private boolean ownCluster;

    @Option(
            names = "--delay",
            paramLabel = "MS[,MS…]",
            description = "with --cluster: one-way delay between its data centres, as of ./meteor cluster start"
                    + " (default: 0)")
    private String delay = "0";

    @Option(
            names = "--first-address",
            paramLabel = "ADDRESS",
            description = "with --cluster: loopback address of its first node (default: 127.0.0.1)")
    private String firstAddress = "127.0.0.1";

    private final PrintWriter out;
    private final PrintWriter err;

    public YcsbCommand(PrintWriter out, PrintWriter err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        if (ownCluster && !hosts.isEmpty()) {
            throw new IllegalArgumentException("--cluster starts nodes, --hosts names nodes: give one of them");
        }
        YcsbMode wanted = YcsbMode.parse(mode);
        Properties read = WorkloadFile.read(workload);
        Map<String, String> overrides = overrides();
        try (Display display = Display.of(out)) {
            if (!hosts.isEmpty()) {
                return run(display, new YcsbOptions(read, wanted, dcs, overrides), hosts);
            }
            if (!ownCluster) {
                LocalCluster running = place.attach();
                return run(display, new YcsbOptions(read, wanted, dcs(running), overrides), upNodes(running));
            }
            ClusterOptions options = ClusterOptions.builder()
                    .delaysMillis(DelayList.parse(delay))
                    .firstAddress(firstAddress)
                    .cassandraOptions(ClusterOptions.FOR_COMPARISONS)
                    .build();
            Path folder = new RunFolder(place.installation(), "ycsb").claim(options);
            try (LocalCluster cluster =
                    LocalCluster.start(place.installation(), folder, options, BOOT_LIMIT, display::say)) {
                return run(display, new YcsbOptions(read, wanted, dcs(cluster), overrides), upNodes(cluster));
            }
        } catch (DriverException e) {
            throw new ClusterException("the cluster did not answer: " + e.getMessage(), e);
        }
    }

    private int run(Display display, YcsbOptions options, List<String> nodes) {
        YcsbRunner runner = new YcsbRunner(options, nodes, display, err);
        boolean done = phase == Phase.load ? runner.load() : runner.run();
        return done ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private Map<String, String> overrides() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("threadcount", Integer.toString(positive("--threads", threads)));
        put(all, "recordcount", "--records", records);
        put(all, "operationcount", "--operations", operations);
        put(all, "maxexecutiontime", "--seconds", seconds);
        put(all, "target", "--target", target);
        all.putAll(properties);
        return all;
    }

    private static void put(Map<String, String> all, String property, String option, @Nullable Integer value) {
        if (value != null) {
            all.put(property, Integer.toString(positive(option, value)));
        }
    }

    private static int positive(String option, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(option + " must be at least 1, not " + value);
        }
        return value;
    }

    private List<String> dcs(LocalCluster cluster) {
        List<String> known = cluster.options().dcs();
        for (String dc : dcs) {
            if (!known.contains(dc) && !dcs.equals(List.of("all"))) {
                throw new IllegalArgumentException("--dc: no data centre is called " + dc + "; there are "
                        + String.join(", ", known) + ", or all");
            }
        }
        return dcs;
    }

    private static List<String> upNodes(LocalCluster cluster) {
        List<String> up = cluster.status().stream()
                .filter(node -> node.state() == NodeStatus.State.UP)
                .map(node -> node.spec().address())
                .toList();
        if (up.isEmpty()) {
            throw new ClusterException(
                    "no node of the cluster in " + cluster.folder() + " is up; look at" + " ./meteor cluster status");
        }
        return up;
    }
}
