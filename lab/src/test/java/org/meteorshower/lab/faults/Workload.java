/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.meteorshower.checker.CheckReport;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryBuilder;
import org.meteorshower.checker.HistoryWriter;
import org.meteorshower.checker.Model;
import org.meteorshower.checker.Operation;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.Verdict;

/**
 * Sessions at work on a few hot rows of one table: those with tokens move between data centres all the time, those of
 * stock drivers stay with one coordinator each. Thread-safe.
 */
final class Workload implements AutoCloseable {
    private static final int ROWS = 8;
    private static final long SEED = 2017;
    private static final String COLUMNS = "id int PRIMARY KEY, value text";
    private static final Duration PROGRESS_LIMIT = Duration.ofSeconds(60);
    private static final int PROGRESS = 20;
    private static final int MAX_PAUSE_MILLIS = 6;
    private static final int MAX_CALM_PAUSE_MILLIS = 40;

    private final TestCluster cluster;
    private final String table;
    private final long epochNanos = System.nanoTime();
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final Queue<String> notes = new ConcurrentLinkedQueue<>();
    private final List<Worker> workers = new ArrayList<>();
    private final List<Client.Roaming> roaming = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean on = true;
    private volatile int maxPauseMillis = MAX_PAUSE_MILLIS;

    private Workload(TestCluster cluster, String table) {
        this.cluster = cluster;
        this.table = table;
    }

    /** Begins on a new enabled table of this name, with one session of each kind at home in each data centre. */
    static Workload start(TestCluster cluster, String table) throws InterruptedException {
        cluster.createEnabled(table, COLUMNS);
        Workload workload = new Workload(cluster, table);
        workload.begin(dc -> Client.Roaming.of(cluster, dc));
        return workload;
    }

    /** The same with Cassandra's consistency level ONE and nothing of MeteorShower's. */
    static Workload startWeak(TestCluster cluster, String table) throws InterruptedException {
        cluster.create(table, COLUMNS);
        Workload workload = new Workload(cluster, table);
        workload.begin(dc -> Client.Roaming.atOne(cluster, dc));
        return workload;
    }

    private void begin(Function<String, Client.Roaming> roamers) {
        for (String dc : cluster.dcs()) {
            Client.Roaming roamer = roamers.apply(dc);
            roaming.add(roamer);
            begin(roamer, "roaming-" + dc);
            begin(new Client.Stock(cluster.cql(dc), dc), "stock-" + dc);
        }
        threads.forEach(Thread::start);
    }

    private void begin(Client client, String session) {
        Worker worker = new Worker(this, client, session, SEED + workers.size());
        workers.add(worker);
        Thread thread = new Thread(worker, session);
        thread.setDaemon(true);
        threads.add(thread);
    }

    boolean isOn() {
        return on;
    }

    /** Between two operations of one session. */
    int maxPauseMillis() {
        return maxPauseMillis;
    }

    /** Starts a node again. */
    void restart(String node) throws InterruptedException {
        note("restart " + node);
        calmly(() -> cluster.restart(node));
        note(node + " is up");
    }

    /** What is done. */
    interface Action {
        void run() throws InterruptedException;
    }

    /** Meanwhile the sessions go on, but with longer pauses, so that a node that starts gets some of the processor. */
    void calmly(Action action) throws InterruptedException {
        maxPauseMillis = MAX_CALM_PAUSE_MILLIS;
        try {
            action.run();
        } finally {
            maxPauseMillis = MAX_PAUSE_MILLIS;
        }
    }

    int rows() {
        return ROWS;
    }

    String key(int row) {
        return table + "/" + row;
    }

    String select() {
        return "SELECT value FROM " + TestCluster.KEYSPACE + "." + table + " WHERE id = ?";
    }

    String insert() {
        return "INSERT INTO " + TestCluster.KEYSPACE + "." + table + " (id, value) VALUES (?, ?)";
    }

    long nanos() {
        return System.nanoTime() - epochNanos;
    }

    void succeeded(String dc, Operation.Type type) {
        counts.computeIfAbsent(dc + " " + type, k -> new LongAdder()).increment();
    }

    void failed(String dc, RuntimeException failure) {
        counts.computeIfAbsent(dc + " failed: " + failure, k -> new LongAdder()).increment();
        if (!(failure instanceof NoNodeAvailableException)) {
            note(dc + " " + failure.getClass().getSimpleName());
        }
    }

    /** Writes down what happened now, for whoever wonders about the test's output. */
    void note(String what) {
        notes.add(String.format(Locale.ROOT, "%6d ms %s", TimeUnit.NANOSECONDS.toMillis(nanos()), what));
    }

    /** Reads answered at this data centre so far. */
    long reads(String dc) {
        return count(dc + " " + Operation.Type.READ);
    }

    /** Writes acknowledged at this data centre so far. */
    long writes(String dc) {
        return count(dc + " " + Operation.Type.WRITE);
    }

    private long count(String what) {
        LongAdder count = counts.get(what);
        return count == null ? 0 : count.sum();
    }

    /** Waits until reads and writes have gone on in these data centres for a while. */
    void awaitProgress(String... dcs) throws InterruptedException {
        List<LongSupplier> counts = new ArrayList<>();
        for (String dc : dcs) {
            counts.add(() -> reads(dc));
            counts.add(() -> writes(dc));
        }
        Waiting.untilGrown(PROGRESS_LIMIT, PROGRESS, counts);
    }

    /** Ends the sessions, each after reading every row wherever it can, and checks what all of them saw. */
    History stopAndCheck() throws InterruptedException, IOException {
        note("stopping");
        History history = stop();
        Verdict verdict = Model.SEQUENTIAL.check(history);
        assertThat(verdict.outcome())
                .as(() -> CheckReport.of(history, verdict, 0))
                .isEqualTo(Outcome.CONSISTENT);
        return history;
    }

    /** Ends the sessions as {@link #stopAndCheck} does, without a look at what they saw. */
    History stop() throws InterruptedException, IOException {
        on = false;
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(150));
            assertThat(thread.isAlive()).as("%s goes on", thread.getName()).isFalse();
        }
        HistoryBuilder builder = History.builder();
        workers.forEach(worker -> worker.operations().forEach(builder::add));
        History history = builder.build();
        System.out.println(table + ": " + history.size() + " operations");
        notes.forEach(System.out::println);
        new TreeMap<>(counts).forEach((what, count) -> System.out.println("  " + count + " " + what));
        for (Worker worker : workers) {
            // A session that could not do its last reads ends with something else.
            List<Operation> operations = worker.operations();
            assertThat(operations.size())
                    .as("operations of a session; %s", notes)
                    .isGreaterThan(ROWS);
            assertThat(operations.subList(operations.size() - ROWS, operations.size()))
                    .as("a session's last operations; %s", notes)
                    .extracting(Operation::type)
                    .containsOnly(Operation.Type.READ);
        }
        try (HistoryWriter writer = HistoryWriter.create(Reports.file(table + ".jsonl"))) {
            writer.appendAll(history);
        }
        return history;
    }

    /** The tokens of all sessions that have one. */
    List<Client.Roaming> roaming() {
        return roaming;
    }

    String table() {
        return table;
    }

    TestCluster cluster() {
        return cluster;
    }

    @Override
    public void close() {
        on = false;
        threads.forEach(Thread::interrupt);
    }
}
