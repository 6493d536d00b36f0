/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.MeteorShowerSessionBuilder;
import org.meteorshower.client.MeteorShowerTransactions;
import org.meteorshower.client.TransactionResult;
import org.meteorshower.client.UnknownOutcomeException;
import org.meteorshower.lab.faults.Jobs.Found;
import org.meteorshower.lab.faults.Jobs.Job;

/**
 * Clients in all data centres that put {@link Jobs}, take them by name and from the head, and move them from one queue
 * to the other, each as often as it can. Others read whole queues meanwhile, and find fault with an answer in which
 * there are not as many rows as it counts, or not all that must be there, or some that must not.
 */
final class JobClients implements AutoCloseable {
    static final int QUEUES = 2;

    /** Above this, jobs are taken only: a queue comes as a whole, with 500 rows at the most. */
    private static final int MOST_JOBS = 20;

    /**
     * Between what one client asks for. A data centre that was away has to do more than what is asked for meanwhile.
     */
    private static final long PAUSE_MILLIS = 200;

    private final TestCluster cluster;
    private final List<CqlSession> connections = new ArrayList<>();
    private final List<Thread> clients = new ArrayList<>();
    private final Map<String, Job> byName = new ConcurrentHashMap<>();

    /** Acknowledged, and nobody has begun to take them. */
    private final Set<Job> standing = ConcurrentHashMap.newKeySet();

    /** Somebody has begun to take them. */
    private final Set<Job> claimed = ConcurrentHashMap.newKeySet();

    private final Set<Job> gone = ConcurrentHashMap.newKeySet();
    private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
    private final List<String> wrong = Collections.synchronizedList(new ArrayList<>());
    private volatile boolean ended;

    JobClients(TestCluster cluster) {
        this.cluster = cluster;
    }

    /** Those that write go on to another data centre where theirs does not answer; those that read do not. */
    void begin() {
        List<String> dcs = cluster.dcs();
        for (String dc : dcs) {
            connections.add(cluster.connector(dc).build());
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
            String dc = dcs.get(home);
            CqlSession reading = connections.get(home);
            Random random = new Random(home);
            go(dc + "-writes", () -> write(transactions, dc, random));
            go(dc + "-reads", () -> read(reading, dc, random.nextInt(QUEUES), random.nextBoolean()));
        }
    }

    private void go(String name, Runnable once) {
        Thread client = new Thread(
                () -> {
                    while (!ended) {
                        tried(name, once);
                        pause();
                    }
                },
                name);
        client.start();
        clients.add(client);
    }

    private void tried(String name, Runnable once) {
        try {
            once.run();
        } catch (UnknownOutcomeException e) {
            count("unknown");
        } catch (DriverException e) {
            count("failed: " + name + ": " + e.getClass().getSimpleName() + ": " + e.getMessage());
        } catch (RuntimeException | Error e) {
            wrong.add(name + ": " + e);
            throw e;
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void count(String what) {
        counts.computeIfAbsent(what, first -> new AtomicInteger()).incrementAndGet();
    }

    /** How often it was done. */
    LongSupplier done(String what) {
        AtomicInteger count = counts.computeIfAbsent(what, first -> new AtomicInteger());
        return count::get;
    }

    private void write(MeteorShowerTransactions transactions, String dc, Random random) {
        int queue = random.nextInt(QUEUES);
        int dice = random.nextInt(10);
        if (dice < 4 && standing.size() < MOST_JOBS) {
            put(transactions, dc, queue, random);
        } else if (dice < 6) {
            takeFirst(transactions, queue);
        } else {
            Optional<Job> some = standing.stream().findAny();
            if (some.isPresent() && claim(some.get())) {
                if (dice < 8) {
                    take(transactions, some.get());
                } else {
                    move(transactions, some.get());
                }
            }
        }
    }

    /** In front of others now and then. */
    private void put(MeteorShowerTransactions transactions, String dc, int queue, Random random) {
        String name = String.format("%04d-%s-%d", random.nextInt(10_000), dc, byName.size());
        Job job = new Job(queue, name, random.nextBoolean() ? 1 : 3);
        byName.put(name, job);
        transactions.execute(Jobs.put(job));
        stands(job);
        count("put");
    }

    private void stands(Job job) {
        standing.add(job);
        if (claimed.contains(job)) {
            standing.remove(job);
        }
    }

    /** Whether nobody else has begun to take it. From now on nobody can say whether it is there. */
    private boolean claim(Job job) {
        boolean first = claimed.add(job);
        standing.remove(job);
        return first;
    }

    private void take(MeteorShowerTransactions transactions, Job job) {
        if (transactions.execute(Jobs.take(job)).applied()) {
            went(job);
        }
        count("taken by name");
    }

    private void takeFirst(MeteorShowerTransactions transactions, int queue) {
        transactions.execute(Jobs.first(queue)).one().ifPresent(row -> {
            Job job = byName.get(row.getString("name")).in(queue);
            claim(job);
            TransactionResult result = transactions.execute(Jobs.takeFirst(job));
            if (result.applied()) {
                assertThat(result.one().orElseThrow().getString(0)).isEqualTo(job.name());
                went(job);
                count("taken first");
            }
        });
    }

    private void move(MeteorShowerTransactions transactions, Job job) {
        int to = (job.queue() + 1) % QUEUES;
        if (!claimed.contains(job.in(to))
                && transactions.execute(Jobs.move(job, to)).applied()) {
            went(job);
            stands(job.in(to));
            count("moved");
        }
    }

    private void went(Job job) {
        if (!gone.add(job)) {
            wrong.add("taken twice: " + job);
        }
    }

    private void read(CqlSession session, String dc, int queue, boolean withCount) {
        Set<Job> there = new HashSet<>(standing);
        Set<Job> notThere = new HashSet<>(gone);
        Found found = withCount ? Jobs.allWithCount(session, queue) : Jobs.all(session, queue);
        there.retainAll(standing);
        judge(dc, queue, found, there, notThere);
        count("read at " + dc);
    }

    private void judge(String dc, int queue, Found found, Set<Job> there, Set<Job> notThere) {
        List<String> expected = new ArrayList<>();
        Set<String> names = new HashSet<>(found.names());
        for (String name : names.stream().sorted().toList()) {
            for (int part = byName.get(name).rows(); part > 0; part--) {
                expected.add(name + "/" + part);
            }
        }
        List<String> rows = new ArrayList<>();
        for (int i = 0; i < found.names().size(); i++) {
            rows.add(found.names().get(i) + "/" + found.parts().get(i));
        }
        if (!rows.equals(expected) || found.counted() != rows.size()) {
            wrong.add(dc + " counts " + found.counted() + " of queue " + queue + ": " + rows);
        }
        there.stream()
                .filter(job -> job.queue() == queue && !names.contains(job.name()))
                .forEach(job -> wrong.add(dc + " misses " + job));
        notThere.stream()
                .filter(job -> job.queue() == queue && names.contains(job.name()))
                .forEach(job -> wrong.add(dc + " still has " + job));
    }

    /** Nothing was wrong, and nothing is; all data centres have the same. */
    void stop() throws InterruptedException {
        ended = true;
        for (Thread client : clients) {
            client.join();
        }
        for (int queue = 0; queue < QUEUES; queue++) {
            Set<Found> answers = new HashSet<>();
            for (String dc : cluster.dcs()) {
                read(cluster.cql(dc), dc, queue, false);
                answers.add(Jobs.all(cluster.cql(dc), queue));
            }
            assertThat(answers).as("queue %d at all data centres", queue).hasSize(1);
        }
        assertThat(wrong).isEmpty();
    }

    @Override
    public void close() {
        ended = true;
        System.out.println("jobs: " + new TreeMap<>(counts) + ", " + standing.size() + " stand; wrong: " + wrong);
        connections.forEach(CqlSession::close);
    }
}
