/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.meteorshower.checker.CheckReport;
import org.meteorshower.checker.History;
import org.meteorshower.checker.HistoryBuilder;
import org.meteorshower.checker.Model;
import org.meteorshower.checker.Operation;
import org.meteorshower.checker.Outcome;
import org.meteorshower.checker.Verdict;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.ReadMode;
import org.meteorshower.client.UnknownOutcomeException;
import org.meteorshower.client.WriteInfo;

/** Sessions that read and write three rows and move between data centres: whether they see one order. */
final class MovingSessions {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int SESSIONS = 6;
    private static final int OPERATIONS = 400;

    private final TestCluster cluster;
    private final String table;
    private final ConsistencyLevel writeLevel;
    private final ReadMode mode;
    private final long epochNanos = System.nanoTime();

    private MovingSessions(TestCluster cluster, String table, ConsistencyLevel writeLevel, ReadMode mode) {
        this.mode = mode;
        this.cluster = cluster;
        this.table = table;
        this.writeLevel = writeLevel;
    }

    /** @param table with {@code id int} and {@code v text} */
    static void checkOneOrder(TestCluster cluster, String table, ConsistencyLevel writeLevel) throws Exception {
        check(cluster, table, writeLevel, ReadMode.SEQUENTIAL, Model.SEQUENTIAL);
    }

    /** The same in another mode of reads, of which more is promised. */
    static void check(TestCluster cluster, String table, ConsistencyLevel writeLevel, ReadMode mode, Model model)
            throws Exception {
        History history = new MovingSessions(cluster, table, writeLevel, mode).run();
        System.out.println(table + ": " + history.size() + " operations");
        Verdict verdict = model.check(history);
        assertThat(verdict.outcome())
                .as(() -> CheckReport.of(history, verdict, 0))
                .isEqualTo(Outcome.CONSISTENT);
    }

    private History run() throws Exception {
        List<List<Operation>> histories = new ArrayList<>();
        AtomicInteger done = new AtomicInteger();
        try (Busy busy = new Busy()) {
            for (int i = 0; i < SESSIONS; i++) {
                String name = "session" + i;
                Random random = new Random(i);
                List<Operation> operations = new ArrayList<>();
                histories.add(operations);
                MeteorShowerSession session = session();
                session.moveTo(cluster.dcs().get(i % 3));
                busy.begin(() -> {
                    step(session, name, random, operations);
                    done.incrementAndGet();
                });
            }
            Waiting.until(SOON, () -> assertThat(done).hasValueGreaterThan(OPERATIONS));
        }
        HistoryBuilder builder = History.builder();
        histories.forEach(operations -> operations.forEach(builder::add));
        return builder.build();
    }

    private MeteorShowerSession session() {
        var builder = MeteorShowerSession.builder().requireServed(true);
        cluster.dcs().forEach(dc -> builder.dataCentre(dc, cluster.cql(dc)));
        return builder.build();
    }

    private void step(MeteorShowerSession session, String name, Random random, List<Operation> operations) {
        if (random.nextInt(5) == 0) {
            session.moveTo(cluster.dcs().get(random.nextInt(3)));
        }
        int row = 10 + random.nextInt(3);
        if (random.nextBoolean()) {
            write(session, name, row, operations);
        } else {
            read(session, name, row, operations);
        }
    }

    private void write(MeteorShowerSession session, String name, int row, List<Operation> operations) {
        String value = name + "-" + operations.size();
        long start = now();
        try {
            var written = session.execute(
                    SimpleStatement.newInstance("INSERT INTO faults." + table + " (id, v) VALUES (?, ?)", row, value)
                            .setConsistencyLevel(writeLevel));
            long version =
                    WriteInfo.of(written.getExecutionInfo()).orElseThrow().timestampMicros();
            operations.add(Operation.write(name, "row" + row, value, start, now(), version));
        } catch (UnknownOutcomeException e) {
            operations.add(Operation.unknownWrite(name, "row" + row, value, start, Operation.NO_VERSION));
        }
    }

    private void read(MeteorShowerSession session, String name, int row, List<Operation> operations) {
        long start = now();
        try {
            Row found = session.execute(
                            SimpleStatement.newInstance("SELECT v FROM faults." + table + " WHERE id = ?", row)
                                    .setConsistencyLevel(ConsistencyLevel.QUORUM),
                            mode)
                    .one();
            operations.add(Operation.read(name, "row" + row, found == null ? null : found.getString(0), start, now()));
        } catch (ReadTimeoutException e) {
            // A machine that stands still for two seconds tells nothing of itself: the session saw nothing.
            System.out.println(table + ": " + e);
        }
    }

    private long now() {
        return System.nanoTime() - epochNanos;
    }
}
