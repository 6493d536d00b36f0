/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meteorshower.client.ReadMode;
import org.meteorshower.lab.cluster.CommitLog;
import org.meteorshower.lab.cluster.DelayList;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;

/** Makes plans of YAML text. What is wrong in it is told with its line, in a {@link PlanException}. */
public final class PlanReader {
    private static final int MAX_SECONDS = 3_600;
    private static final int MAX_RUNS = 5_000;
    private static final int ROWS_IN_STEPS_OF = 10;
    private static final int LEAST_ROWS_OF_ORDERS = 20;

    private final PlanNode root;
    private final String name;
    private final String text;

    private PlanReader(String name, String text, PlanNode root) {
        this.name = name;
        this.text = text;
        this.root = root;
    }

    /** @param file its name, for messages */
    public static BenchPlan read(String file, String text) {
        @Nullable Node node;
        try {
            node = new Yaml(new LoaderOptions()).compose(new StringReader(text));
        } catch (MarkedYAMLException e) {
            throw new PlanException(file + ", line "
                    + (e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1) + ": this is no YAML: "
                    + e.getProblem());
        } catch (YAMLException e) {
            // Characters that no YAML may hold, or too many of them.
            throw new PlanException(file + ": this is no YAML: " + e.getMessage());
        }
        if (node == null) {
            throw new PlanException(file + " is empty; look at ./meteor bench --show quick for an example");
        }
        return new PlanReader(
                        file.replaceAll(".*/", "").replaceAll("\\.ya?ml$", ""), text, new PlanNode(file, "", node))
                .plan();
    }

    private BenchPlan plan() {
        PlanNode question = root.get("question");
        int seconds = root.require("seconds", "10").whole(1, MAX_SECONDS, "seconds");
        PlanNode warmUp = root.get("warm-up");
        PlanNode heat = root.get("heat");
        PlanNode repeats = root.get("repeats");
        PlanNode together = root.get("together");
        List<SystemSpec> systems = named(root.require("systems", "[cassandra-quorum, meteorshower]"), this::system);
        List<String> systemNames = systems.stream().map(SystemSpec::name).toList();
        List<NetworkSpec> networks =
                named(root.require("networks", "[{delay: 50}]"), node -> network(node, systemNames));
        List<String> networkNames = networks.stream().map(NetworkSpec::name).toList();
        List<WorkloadSpec> workloads = named(
                root.require("workloads", "[{name: uniform, rate: 100}]"),
                node -> workload(node, systemNames, networkNames));
        PlanNode simulated = root.get("simulated-nodes");
        List<Integer> simulatedNodes = simulated == null
                ? List.of()
                : simulated.items().stream().map(PlanReader::simulatedSize).toList();
        root.requireNoOtherKeys();
        BenchPlan plan = new BenchPlan(
                name,
                question == null ? "" : question.text(),
                seconds,
                warmUp == null ? 3 : warmUp.whole(0, MAX_SECONDS, "seconds"),
                heat == null ? BenchPlan.USUAL_HEAT_SECONDS : heat.whole(1, MAX_SECONDS, "seconds"),
                repeats == null ? 1 : repeats.whole(1, 100, "repeats"),
                together != null && together.flag(),
                systems,
                networks,
                workloads,
                simulatedNodes,
                text);
        requirePossible(plan);
        return plan;
    }

    private static int simulatedSize(PlanNode node) {
        int nodes = node.whole(3, 3_000, "nodes");
        if (nodes % 3 != 0) {
            throw node.wrong("must be a multiple of 3, for three data centres, not " + nodes);
        }
        return nodes;
    }

    private void requirePossible(BenchPlan plan) {
        if (plan.runs() == 0 || plan.runs() > MAX_RUNS) {
            throw root.wrong("the plan makes " + plan.runs() + " runs; it must be 1 to " + MAX_RUNS
                    + ": look at repeats, and at the networks and systems that networks and workloads name");
        }
        Set<String> tables = new HashSet<>();
        for (SystemSpec system : plan.systems()) {
            if (!tables.add(system.table())) {
                throw root.wrong("the name " + system.name() + " differs from another one by signs alone: change it");
            }
        }
        for (NetworkSpec network : plan.networks()) {
            for (BenchPlan.Cell cell : plan.cells(network)) {
                if (cell.workload().transactions() == TransactionMix.ORDER
                        && cell.system().engine() == TransactionEngine.LWT) {
                    throw root.wrong(
                            "the rows of an order are in several partitions, and conditional batches stay within one; give"
                                    + " the workload " + cell.workload().name() + " systems: without lwt");
                }
                requirePossible(cell);
                if (cell.system().needsPlugin() && !network.shape().plugin()) {
                    throw root.wrong("the network " + network.name() + " has no plugin, and "
                            + cell.system().name()
                            + " is nothing without it; give that network systems: [cassandra-quorum]");
                }
            }
        }
    }

    private void requirePossible(BenchPlan.Cell cell) {
        TransactionEngine engine = cell.system().engine();
        String why = cell.workload().tpcc() == null || engine == null ? null : TpccReader.impossible(engine);
        if (why != null) {
            throw root.wrong("TPC-C cannot be asked of " + cell.system().name() + ": " + why + "; give the workload "
                    + cell.workload().name() + " systems: without it");
        }
    }

    /** The items of a list, whose names must differ. */
    private static <T extends Record> List<T> named(PlanNode list, Function<PlanNode, T> reader) {
        List<T> all = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (PlanNode item : list.items()) {
            T read = reader.apply(item);
            String name = read instanceof SystemSpec system
                    ? system.name()
                    : read instanceof NetworkSpec network ? network.name() : ((WorkloadSpec) read).name();
            if (!names.add(name)) {
                throw item.wrong("there are two of the name " + name + "; give each a name: of its own");
            }
            all.add(read);
        }
        if (all.isEmpty()) {
            throw list.wrong("the list is empty; it needs at least one");
        }
        return all;
    }

    private SystemSpec system(PlanNode node) {
        if (!node.isMapping()) {
            SystemSpec known = SystemSpec.known(node.text());
            if (known == null) {
                throw node.wrong("no system is called '" + node.text() + "'; there are " + SystemSpec.knownNames()
                        + ", or one of your own: {name: mine, client: meteorshower, mode: \"bounded:5000\"}");
            }
            return known;
        }
        String systemName = nameOf(node.require("name", "mine"));
        PlanNode client = node.require("client", "cassandra");
        PlanNode read = node.get("read");
        PlanNode write = node.get("write");
        PlanNode mode = node.get("mode");
        PlanNode table = node.get("table");
        node.requireNoOtherKeys();
        boolean served =
                switch (client.text()) {
                    case "cassandra" -> false;
                    case "meteorshower" -> true;
                    default -> throw client.wrong("must be cassandra or meteorshower, not '" + client.text() + "'");
                };
        if (!served && (mode != null || table != null)) {
            throw node.wrong("mode and table are MeteorShower's; for Cassandra give read: and write: levels");
        }
        return new SystemSpec(
                systemName,
                level(read),
                level(write),
                served ? readMode(mode) : null,
                tableOptions(table),
                null,
                false);
    }

    private static String tableOptions(@Nullable PlanNode node) {
        if (node != null && !node.text().matches("[A-Za-z0-9_=,:.+ -]*")) {
            throw node.wrong(
                    "must be options as meteorshower.tables takes them, such as w=one (docs/CONFIGURATION.md)");
        }
        return node == null ? "" : node.text();
    }

    private static ReadMode readMode(@Nullable PlanNode node) {
        try {
            return node == null ? ReadMode.SEQUENTIAL : ReadMode.parse(node.text());
        } catch (IllegalArgumentException e) {
            throw node.wrong(String.valueOf(e.getMessage()));
        }
    }

    private static DefaultConsistencyLevel level(@Nullable PlanNode node) {
        if (node == null) {
            return DefaultConsistencyLevel.QUORUM;
        }
        String wanted = node.text().toUpperCase(Locale.ROOT).replace('-', '_');
        return Arrays.stream(DefaultConsistencyLevel.values())
                .filter(level -> level.name().equals(wanted))
                .findFirst()
                .orElseThrow(() -> node.wrong("no consistency level is called '" + node.text() + "'; there are "
                        + Arrays.stream(DefaultConsistencyLevel.values())
                                .map(Enum::name)
                                .collect(Collectors.joining(", "))));
    }

    private NetworkSpec network(PlanNode node, List<String> systemNames) {
        PlanNode delay = node.require("delay", "50");
        List<Double> delays = delay.items().stream()
                .map(item -> item.number(0, 60_000, "ms one way"))
                .toList();
        PlanNode given = node.get("name");
        PlanNode dcs = node.get("dcs");
        PlanNode nodes = node.get("nodes-per-dc");
        PlanNode replicas = node.get("replicas");
        PlanNode jitter = node.get("jitter");
        PlanNode plugin = node.get("plugin");
        PlanNode heap = node.get("heap");
        PlanNode jvm = node.get("jvm");
        PlanNode commitLog = node.get("commit-log");
        PlanNode cassandra = node.get("cassandra");
        List<String> systems = names(node.get("systems"), systemNames);
        node.requireNoOtherKeys();
        int nodesPerDc = nodes == null ? 1 : nodes.whole(1, 24, "nodes");
        NetworkSpec.Shape shape = new NetworkSpec.Shape(
                dcs == null ? List.of("eu", "us", "asia") : dcs.texts(),
                nodesPerDc,
                replicas == null ? 1 : replicas.whole(1, nodesPerDc, "replicas, no more than there are nodes"),
                plugin == null ? cassandra == null || release(cassandra).equals(NetworkSpec.OURS) : plugin.flag(),
                heap == null ? 256 : heap.whole(128, 65_536, "MB"),
                jvm == null ? List.of() : jvm.texts(),
                commitLog == null ? CommitLog.BATCH : commitLog(commitLog),
                cassandra == null ? NetworkSpec.OURS : release(cassandra));
        try {
            shape.options("127.0.0.1");
            DelayList.pairs(shape.dcs(), delays);
        } catch (IllegalArgumentException e) {
            throw node.wrong(String.valueOf(e.getMessage()));
        }
        return new NetworkSpec(
                given == null ? String.join("/", delay.texts()) + " ms" : nameOf(given),
                shape,
                delays,
                jitter == null ? 0 : jitter.number(0, 60_000, "ms"),
                systems);
    }

    private static CommitLog commitLog(PlanNode node) {
        CommitLog named = CommitLog.named(node.text());
        if (named == null) {
            throw node.wrong("must be one of " + CommitLog.words() + ", not '" + node.text() + "'");
        }
        return named;
    }

    private WorkloadSpec workload(PlanNode node, List<String> systemNames, List<String> networkNames) {
        String workloadName = nameOf(node.require("name", "uniform"));
        PlanNode rate = node.require("rate", "100 (operations a second in each data centre), or rate: closed");
        PlanNode rows = node.get("rows");
        PlanNode distribution = node.get("distribution");
        PlanNode reads = node.get("reads");
        PlanNode sessions = node.get("sessions");
        PlanNode value = node.get("value");
        PlanNode transactions = node.get("transactions");
        List<String> networks = names(node.get("networks"), networkNames);
        List<String> systems = names(node.get("systems"), systemNames);
        boolean closed = rate.text().equals("closed");
        int count = rows == null ? 1_000 : rows.whole(1, 1_000_000, "rows");
        TransactionMix mix = transactions == null ? null : mix(transactions, count);
        TpccSpec tpcc = TpccReader.read(node, mix, closed);
        node.requireNoOtherKeys();
        return new WorkloadSpec(
                workloadName,
                count,
                distribution != null && isZipfian(distribution),
                share(reads, transactions),
                sessions == null ? (closed ? 8 : 64) : sessions.whole(1, 1_000, "sessions in each data centre"),
                closed ? 0 : rate.number(0.1, 100_000, "operations a second in each data centre, or closed"),
                value == null ? 100 : value.whole(32, 1_000_000, "bytes"),
                networks,
                systems,
                mix,
                tpcc);
    }

    /** Of transactions only one mix has some that only read. */
    private static double share(@Nullable PlanNode reads, @Nullable PlanNode transactions) {
        TransactionMix mix = transactions == null ? null : TransactionMix.named(transactions.text());
        double usual = mix == null || mix == TransactionMix.YCSB_T ? 0.5 : 0;
        return reads == null ? usual : reads.number(0, 1, "as the share of reads");
    }

    private static TransactionMix mix(PlanNode node, int rows) {
        TransactionMix mix = TransactionMix.named(node.text());
        if (mix == null) {
            throw node.wrong("must be one of " + TransactionMix.names() + ", not '" + node.text() + "'");
        }
        if (mix == TransactionMix.ORDER && rows <= LEAST_ROWS_OF_ORDERS) {
            throw node.wrong("an order needs more than " + LEAST_ROWS_OF_ORDERS + " rows");
        }
        if (mix != TransactionMix.HOT_ROW && rows % ROWS_IN_STEPS_OF != 0) {
            throw node.wrong(mix.word() + " needs rows in steps of " + ROWS_IN_STEPS_OF + ", for groups that fit");
        }
        return mix;
    }

    private static String release(PlanNode node) {
        if (!node.text().equals(NetworkSpec.OURS) && !node.text().equals(NetworkSpec.CASSANDRA_6)) {
            throw node.wrong(
                    "must be " + NetworkSpec.OURS + " or " + NetworkSpec.CASSANDRA_6 + ", not '" + node.text() + "'");
        }
        return node.text();
    }

    private static boolean isZipfian(PlanNode node) {
        return switch (node.text()) {
            case "uniform" -> false;
            case "zipfian" -> true;
            default -> throw node.wrong("must be uniform or zipfian, not '" + node.text() + "'");
        };
    }

    private static List<String> names(@Nullable PlanNode node, List<String> possible) {
        if (node == null) {
            return List.of();
        }
        for (PlanNode item : node.items()) {
            if (!possible.contains(item.text())) {
                throw item.wrong(
                        "the plan has nothing called '" + item.text() + "'; it has " + String.join(", ", possible));
            }
        }
        return node.texts();
    }

    private static String nameOf(PlanNode node) {
        if (!node.text().matches("[A-Za-z0-9][A-Za-z0-9 ._/%,:-]{0,39}")) {
            throw node.wrong(
                    "'" + node.text()
                            + "' is no name: use letters, digits, spaces and . _ / % , : -, at most 40, a letter or digit first");
        }
        return node.text();
    }
}
