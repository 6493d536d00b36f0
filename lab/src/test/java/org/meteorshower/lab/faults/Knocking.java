/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.meteorshower.lab.cluster.NodeSpec;

/** One client of one node that adds one, again and again, and remembers when it was answered. */
final class Knocking implements AutoCloseable {
    /** Longer than anything takes that a node answers at all. */
    private static final Duration PATIENT = Duration.ofSeconds(15);

    private static final long PAUSE_MILLIS = 5;

    private final String node;
    private final CqlSession session;
    private final Thread thread;
    private final List<Long> answeredNanos = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private final AtomicInteger acknowledged;
    private final AtomicInteger failed;
    private volatile boolean ended;

    /**
     * Begins at once.
     *
     * @param acknowledged counted up for each answer
     * @param failed counted up for each that may have happened, or not
     */
    Knocking(NodeSpec node, AtomicInteger acknowledged, AtomicInteger failed) {
        this.node = node.name();
        this.acknowledged = acknowledged;
        this.failed = failed;
        session = TestCluster.connectorTo(node)
                .withConfigLoader(TestCluster.driverConfig(PATIENT))
                .build();
        thread = new Thread(this::run, "knocking-" + node.name());
        thread.start();
    }

    private void run() {
        try {
            while (!ended) {
                once();
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void once() {
        try {
            session.execute("UPDATE meteorshower.transactions_probe SET added = 1 WHERE name = 'it'");
            acknowledged.incrementAndGet();
            synchronized (this) {
                answeredNanos.add(System.nanoTime());
            }
        } catch (DriverException e) {
            failed.incrementAndGet();
            synchronized (this) {
                failures.add(e.getMessage());
            }
        }
    }

    String node() {
        return node;
    }

    synchronized int answers() {
        return answeredNanos.size();
    }

    synchronized List<String> failures() {
        return List.copyOf(failures);
    }

    /** The longest time without an answer from this moment on, in milliseconds. */
    synchronized double longestMillis(long sinceNanos) {
        long last = sinceNanos;
        long longest = 0;
        for (long at : answeredNanos) {
            if (at - sinceNanos > 0) {
                longest = Math.max(longest, at - last);
                last = at;
            }
        }
        return Math.max(longest, System.nanoTime() - last) / 1e6;
    }

    /** Waits until it has been answered so often from now on. */
    void awaitAnswers(int more, Duration limit) throws InterruptedException {
        Waiting.untilGrown(limit, more, List.of(this::answers));
    }

    /** In words. */
    String told(long sinceNanos) {
        return String.format(
                Locale.ROOT,
                "%s %.0f ms, %d failed",
                node,
                longestMillis(sinceNanos),
                failures().size());
    }

    @Override
    public void close() {
        ended = true;
        try {
            thread.join(TimeUnit.SECONDS.toMillis(60));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        session.close();
    }
}
