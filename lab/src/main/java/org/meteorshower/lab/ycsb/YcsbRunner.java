/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ycsb;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.console.Display;
import org.meteorshower.lab.console.Numbers;
import org.meteorshower.ycsb.ClusterSettings;
import org.meteorshower.ycsb.DataCentreSessions;
import site.ycsb.DBException;

/** One phase of YCSB against nodes that are up: the table, the client, what it says. For one thread. */
final class YcsbRunner {
    /** What YCSB's status thread prints each second. */
    private static final Pattern STATUS = Pattern.compile("^\\S+ \\S+ (\\d+) sec: (\\d+) operations; ([^\\[]*).*$");

    private static final long QUIET_SECONDS = 10;

    private final YcsbOptions options;
    private final List<String> hosts;
    private final Display display;
    private final PrintWriter err;

    public YcsbRunner(YcsbOptions options, List<String> hosts, Display display, PrintWriter err) {
        this.options = options;
        this.hosts = hosts;
        this.display = display;
        this.err = err;
    }

    /** Loads the table, which is made where it is missing. Tells whether every row was written. */
    public boolean load() {
        prepareTable();
        return run(true);
    }

    /**
     * Runs the workload's transactions; on a table that had to be made first, after loading it. Tells whether every
     * operation succeeded.
     */
    public boolean run() {
        if (prepareTable()) {
            display.say("the table is new: loading it first");
            if (!run(true)) {
                return false;
            }
        }
        return run(false);
    }

    private boolean prepareTable() {
        Properties properties = options.properties(hosts, true);
        int fields = number(properties, "fieldcount", 10);
        try (DataCentreSessions dataCentres = DataCentreSessions.connect(ClusterSettings.of(properties), true)) {
            String keyspace = properties.getProperty("cassandra.keyspace");
            String table = properties.getProperty("table", "usertable");
            return new YcsbTable(dataCentres, keyspace, table)
                    .ensure(fields, options.mode().isServed());
        } catch (DBException e) {
            throw new ClusterException(String.valueOf(e.getMessage()), e);
        }
    }

    private static int number(Properties properties, String name, int preset) {
        String value = properties.getProperty(name, Integer.toString(preset));
        try {
            return Integer.parseInt(value.strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + "=" + value + ": must be a whole number", e);
        }
    }

    private boolean run(boolean load) {
        String title = (load ? "load" : "run") + ", " + options.mode().word();
        display.say(title + ": " + Numbers.whole(operations(load)) + (load ? " rows" : " operations") + ", "
                + options.properties(hosts, load).getProperty("threadcount", "1") + " threads");
        YcsbSummary summary = new YcsbSummary();
        AtomicReference<@Nullable String> cause = new AtomicReference<>();
        long[] toldSeconds = {0};
        YcsbProcess process = new YcsbProcess(
                line -> {
                    if (summary.take(line)) {
                        display.say(line);
                    }
                },
                line -> hear(line, cause, toldSeconds));
        int code = process.run(load ? "-load" : "-t", options.properties(hosts, load));
        return judge(summary, code, cause.get(), load);
    }

    private long operations(boolean load) {
        return number(options.properties(hosts, load), load ? "recordcount" : "operationcount", 0);
    }

    /** Progress to where it belongs, and what went wrong to the errors; YCSB's chatter to nowhere. */
    private void hear(String line, AtomicReference<@Nullable String> cause, long[] toldSeconds) {
        Matcher status = STATUS.matcher(line);
        if (status.matches()) {
            String said = String.format(
                    Locale.ROOT,
                    "%5s s  %s operations; %s",
                    status.group(1),
                    status.group(2),
                    ahead(status.group(2), status.group(3)));
            long seconds = Long.parseLong(status.group(1));
            if (!Display.isTerminal() && seconds - toldSeconds[0] >= QUIET_SECONDS) {
                toldSeconds[0] = seconds;
                display.say(said);
            }
            display.live(said);
        } else if (line.startsWith("first failure of its kind: ")) {
            display.tell(err, line);
        } else if (line.matches("(?:Caused by: )?(?:\\S+\\.)?\\w*(?:Exception|Error)(?:: .*)?")) {
            cause.compareAndSet(null, line.replaceFirst("^(?:site\\.ycsb\\.(?:DB|Workload)Exception: )", ""));
        }
    }

    /** Its guess of the time to go is none before the first operation. */
    private static String ahead(String operations, String rate) {
        return operations.equals("0") ? "connecting" : rate.strip();
    }

    private boolean judge(YcsbSummary summary, int code, @Nullable String cause, boolean load) {
        if (code != 0 || summary.succeeded() == 0) {
            throw new ClusterException("YCSB did no operation that succeeded"
                    + (code == 0 ? "" : "; its exit code is " + code)
                    + (cause == null ? "" : "\n" + cause));
        }
        display.say("");
        summary.table().forEach(display::say);
        display.say(String.format(
                Locale.ROOT,
                "%s operations a second in %s s",
                Numbers.of(summary.throughput()),
                Numbers.of(summary.value("OVERALL", "RunTime(ms)") / TimeUnit.SECONDS.toMillis(1))));
        if (!Double.isNaN(summary.value("VERIFY", "Return=OK"))) {
            display.say(
                    String.format(Locale.ROOT, "%s reads returned the values that were written", Numbers.whole((long)
                            summary.value("VERIFY", "Return=OK"))));
        }
        boolean mayMiss = isInserting(options.properties(hosts, load));
        if (summary.missed() > 0) {
            display.say(Numbers.whole(summary.missed()) + " reads found no row"
                    + (mayMiss
                            ? ": one that another session had inserted just before; no mode but strict rules that out"
                            : ": was the table loaded, with as many --records? ./meteor ycsb load"));
        }
        Map<String, Long> failures = summary.failures(mayMiss);
        if (failures.containsKey("VERIFY UNEXPECTED_STATE")) {
            display.say(
                    "values are not what dataintegrity expects; was the table loaded with that, too, and with the same"
                            + " fieldlength?");
        }
        failures.forEach((what, count) -> display.tell(err, "failed: " + Numbers.whole(count) + " " + what));
        return failures.isEmpty();
    }

    private static boolean isInserting(Properties properties) {
        return !properties.getProperty("insertproportion", "0").matches("0(?:\\.0*)?");
    }
}
