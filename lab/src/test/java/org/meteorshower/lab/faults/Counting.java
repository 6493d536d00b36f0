/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.MeteorShowerSessionBuilder;
import org.meteorshower.client.MeteorShowerTransactions;
import org.meteorshower.client.UnknownOutcomeException;
import org.meteorshower.client.transactions.TransactionStatement;

/**
 * Clients that add to rows, one to each of the two at a time, and give an answer so little time that they have to ask
 * again now and then: for the one row as the Java client does, with numbers, for the other as one must not, without.
 */
final class Counting implements AutoCloseable {
    static final int NUMBERED = 101;
    static final int UNNUMBERED = 102;

    /** Thrice what a commit takes here: too little for those that meet a dead data centre, and for some others. */
    private static final Duration IMPATIENT = Duration.ofMillis(150);

    /** What a commit takes here, about: who asks again without a number then has often done it already. */
    private static final Duration HASTY = Duration.ofMillis(50);

    private static final int MOST_RETRIES = 200;

    private final List<CqlSession> connections = new ArrayList<>();
    private final List<Thread> clients = new ArrayList<>();
    private final AtomicInteger committed = new AtomicInteger();
    private final AtomicInteger unknown = new AtomicInteger();
    private final AtomicInteger certainlyNot = new AtomicInteger();
    private final AtomicInteger unnumbered = new AtomicInteger();
    private final AtomicInteger retries = new AtomicInteger();
    private volatile boolean ended;

    /**
     * Begins with one client of each kind in each data centre; those with numbers go on to another one where theirs
     * does not answer.
     */
    void begin(TestCluster cluster) {
        List<String> dcs = cluster.dcs();
        for (int row : new int[] {NUMBERED, UNNUMBERED}) {
            cluster.cql(dcs.get(0)).execute("INSERT INTO faults.accounts (id, v) VALUES (" + row + ", 0)");
        }
        for (String dc : dcs) {
            connections.add(cluster.connector(dc, IMPATIENT).build());
        }
        for (int home = 0; home < dcs.size(); home++) {
            MeteorShowerSessionBuilder builder = MeteorShowerSession.builder().failover(true);
            for (int i = 0; i < dcs.size(); i++) {
                builder.dataCentre(connections.get((home + i) % dcs.size()));
            }
            MeteorShowerTransactions transactions = MeteorShowerTransactions.builder(builder.build())
                    .patience(Duration.ofSeconds(20))
                    .resolvePatience(Duration.ofSeconds(20))
                    .build();
            CqlSession plain = connections.get(home);
            go("numbered-" + home, () -> addWithNumber(transactions));
            go("unnumbered-" + home, () -> addWithout(plain));
        }
    }

    private void go(String name, Runnable once) {
        Thread client = new Thread(
                () -> {
                    while (!ended) {
                        once.run();
                    }
                },
                name);
        client.start();
        clients.add(client);
    }

    static String adding(int row) {
        return "BEGIN TRANSACTION UPDATE faults.accounts SET v += 1 WHERE id = " + row + "; COMMIT TRANSACTION";
    }

    private void addWithNumber(MeteorShowerTransactions transactions) {
        try {
            transactions.execute(TransactionStatement.of(adding(NUMBERED)));
            committed.incrementAndGet();
        } catch (UnknownOutcomeException e) {
            unknown.incrementAndGet();
            System.out.println("counting: " + e.getMessage());
        } catch (DriverException e) {
            certainlyNot.incrementAndGet();
        }
    }

    private void addWithout(CqlSession session) {
        for (int i = 0; i < MOST_RETRIES && !ended; i++) {
            try {
                session.execute(SimpleStatement.newInstance(adding(UNNUMBERED)).setTimeout(i == 0 ? HASTY : IMPATIENT));
                unnumbered.incrementAndGet();
                return;
            } catch (DriverException e) {
                retries.incrementAndGet();
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(20);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void stop() throws InterruptedException {
        ended = true;
        for (Thread client : clients) {
            client.join();
        }
        System.out.printf(
                "counting: with numbers %d committed, %d unknown, %d certainly not; without %d acknowledged, %d retries%n",
                committed.get(), unknown.get(), certainlyNot.get(), unnumbered.get(), retries.get());
    }

    int committed() {
        return committed.get();
    }

    int unknown() {
        return unknown.get();
    }

    /** Acknowledged without a number. */
    int unnumbered() {
        return unnumbered.get();
    }

    @Override
    public void close() {
        ended = true;
        connections.forEach(CqlSession::close);
    }
}
