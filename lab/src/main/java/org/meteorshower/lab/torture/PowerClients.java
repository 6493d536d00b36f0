/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.History;
import org.meteorshower.checker.Model;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.ClusterOptions;
import org.meteorshower.lab.cluster.CommitLog;
import org.meteorshower.lab.cluster.Waiting;
import org.meteorshower.lab.load.DataCentres;
import org.meteorshower.lab.load.TableMaker;
import org.meteorshower.lab.transactions.Account;
import org.meteorshower.lab.transactions.EnabledTable;
import org.meteorshower.lab.transactions.TransactionOutcome;
import org.meteorshower.lab.transactions.TransactionStore;
import org.meteorshower.lab.transactions.TransactionStores;
import org.meteorshower.lab.transactions.TransactionVerdict;

/** All clients of nodes whose power goes: those of the ledger, checked sessions, and transactions. Thread-safe. */
final class PowerClients implements AutoCloseable {
    private static final String ACCOUNTS = "accounts";
    private static final String ACCOUNTS_TABLE = RowsTable.KEYSPACE + "." + ACCOUNTS;
    private static final Duration REFUSED_LIMIT = Duration.ofSeconds(20);
    private static final Duration COMMIT_LIMIT = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMillis(200);
    private static final int ROWS = 16;
    private static final int SESSIONS = 6;
    private static final int TELLERS = 6;
    private static final double SESSIONS_RATE = 60;
    private static final double TRANSACTIONS_RATE = 40;
    private static final double READ_SHARE = 0.5;

    private final DataCentres dataCentres;
    private final RunClock clock;
    private final PowerLedger ledger;
    private final ReadWorkload sessions;
    private final @Nullable TransactionWorkload tellers;

    private PowerClients(
            DataCentres dataCentres, RunClock clock, ReadWorkload sessions, @Nullable TransactionWorkload tellers) {
        this.dataCentres = dataCentres;
        this.clock = clock;
        this.sessions = sessions;
        this.tellers = tellers;
        ledger = new PowerLedger(dataCentres, clock);
    }

    /** Makes and enables the tables; the clients begin. */
    static PowerClients begin(PowerOptions options, DataCentres dataCentres, RunClock clock) {
        int replicas = Math.min(3, options.cluster().nodesPerDc());
        new TableMaker(dataCentres, RowsTable.KEYSPACE, replicas)
                .create(List.of(RowsTable.NAME, PowerLedger.NAME), Map.of(RowsTable.NAME, "", PowerLedger.NAME, ""));
        if (options.transactions()) {
            try (TransactionStore store = TransactionStores.catenae(dataCentres, RowsTable.KEYSPACE, ACCOUNTS)) {
                store.create();
                store.load(0, ROWS);
            }
        }
        // The nodes named here are not those of the run, and not looked at: of these there may be fewer.
        TortureOptions shared = new TortureOptions(
                ClusterOptions.builder().build(),
                Duration.ofHours(1),
                options.seed(),
                List.of(FaultKind.OUTAGE),
                Path.of(""),
                null);
        ReadTortureOptions reads = new ReadTortureOptions(
                shared, new TortureLoad(options.seed(), SESSIONS, ROWS, SESSIONS_RATE), READ_SHARE, false, false);
        TransactionWorkload tellers = options.transactions()
                ? new TransactionWorkload(
                        new TortureLoad(options.seed(), TELLERS, ROWS, TRANSACTIONS_RATE),
                        dataCentres,
                        ACCOUNTS_TABLE,
                        clock)
                : null;
        return new PowerClients(dataCentres, clock, new ReadWorkload(reads, dataCentres, clock), tellers);
    }

    PowerLedger ledger() {
        return ledger;
    }

    /** One data centre after the other. */
    String dc(int number) {
        return dataCentres.names().get(number % dataCentres.names().size());
    }

    /** Waits until one more transaction was committed; not for ever, and not where none run. */
    void awaitTransaction() throws InterruptedException {
        if (tellers == null) {
            return;
        }
        long before = tellers.count(TransactionOutcome.Status.COMMIT);
        long deadline = System.nanoTime() + COMMIT_LIMIT.toNanos();
        while (tellers.count(TransactionOutcome.Status.COMMIT) == before && System.nanoTime() - deadline < 0) {
            Thread.sleep(PAUSE.toMillis());
        }
    }

    String progress() {
        return String.format(Locale.ROOT, "%,d rows acknowledged, %s", ledger.count(), sessions.progress())
                + (tellers == null ? "" : "; " + tellers.progress());
    }

    /** A line for each data centre that runs transactions though they must be refused; none where they may run. */
    List<String> notRefused(PowerOptions options) {
        if (options.sync() != CommitLog.PERIODIC || options.transactions()) {
            return List.of();
        }
        CqlSession session = dataCentres.session(dc(0));
        session.execute("CREATE TABLE " + ACCOUNTS_TABLE + " (id int PRIMARY KEY, balance bigint)");
        EnabledTable.enable(session, RowsTable.KEYSPACE, ACCOUNTS);
        List<String> running = new ArrayList<>();
        for (String dc : dataCentres.names()) {
            try {
                Waiting.untilClear(REFUSED_LIMIT, PAUSE, () -> trouble(dc).contains("periodic") ? "" : "no trouble");
            } catch (ClusterException e) {
                running.add("transactions in " + dc + " are not refused, though commitlog_sync is periodic: "
                        + trouble(dc));
            }
        }
        return running;
    }

    private String trouble(String dc) {
        Row row = dataCentres
                .session(dc)
                .execute("SELECT trouble FROM meteorshower.transactions WHERE data_centre = '" + dc + "'")
                .one();
        return row == null ? "" : Objects.requireNonNullElse(row.getString(0), "");
    }

    /** Ends them in good order, and judges. */
    PowerResult end(PowerOptions options, PowerNotes notes) throws InterruptedException {
        TransactionEnd end = new TransactionEnd(dataCentres, ACCOUNTS_TABLE, ROWS);
        if (tellers != null) {
            notes.wrong.addAll(end.stuck());
        }
        ledger.stop();
        sessions.stop();
        notes.wrong.addAll(ReadEnd.lost(dataCentres, sessions, sessions.history()));
        if (tellers == null) {
            return judged(options, notes, null);
        }
        tellers.stop();
        List<Account> rows = end.rows(notes.wrong);
        notes.wrong.addAll(end.differing());
        return judged(
                options,
                notes,
                TransactionVerdict.of(tellers.recorded(), tellers.seenSnapshots(), rows == null ? List.of() : rows));
    }

    /** Where the nodes do not come back: what was seen until then. */
    PowerResult given(PowerOptions options, PowerNotes notes) throws InterruptedException {
        close();
        Thread.sleep(REFUSED_LIMIT.toMillis() / 4); // what they have under way
        return judged(options, notes, null);
    }

    private PowerResult judged(PowerOptions options, PowerNotes notes, @Nullable TransactionVerdict transactions) {
        History history = sessions.history();
        return new PowerResult(
                options,
                notes,
                ledger.count(),
                Model.SEQUENTIAL.check(history),
                history.size(),
                transactions,
                tellers == null ? 0 : tellers.count(TransactionOutcome.Status.COMMIT),
                clock.seconds());
    }

    /** They end, wherever they are. */
    @Override
    public void close() {
        ledger.close();
        sessions.close();
        if (tellers != null) {
            tellers.close();
        }
    }
}
