/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.meteorshower.lab.cluster.DelayList;

/**
 * As many reads under way as ten thousand connections would bring, of rows that are written all the time over links
 * that are slow meanwhile, so that reads wait for what is in flight: forty connections with 250 requests each, every
 * answer followed by a new request.
 */
final class WaitingReadsPhase implements Phase {
    private static final int IN_FLIGHT = 32;
    private static final int CONNECTIONS = 40;
    private static final int REQUESTS_EACH = 250;
    private static final int ROWS = 16;
    private static final double BEFORE = 0.2;
    private static final double UNTIL = 0.8;
    private static final double SLOW_MILLIS = 200;
    private static final int OVERLOADED = 0x1001;

    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private volatile boolean on = true;

    @Override
    public void run(PhaseRun run) throws InterruptedException {
        long begun = run.nanos();
        long length = run.length().toNanos();
        run.measureFromHere();
        run.beginSequential(run.dcs(), IN_FLIGHT, ROWS);
        run.until(begun + (long) (BEFORE * length));
        run.window("before", begun);
        long slow = run.nanos();
        List<RawClient> clients = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        try {
            delays(run, SLOW_MILLIS);
            open(run, clients, threads);
            run.until(begun + (long) (UNTIL * length));
        } finally {
            on = false;
            clients.forEach(RawClient::close);
            delays(run, 0);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        run.note("reads_under_way", clients.size() * REQUESTS_EACH);
        run.note("reads_answered", answered.doubleValue());
        run.note("reads_refused", refused.doubleValue());
        run.note("reads_failed", failed.doubleValue());
        run.window("waiting", slow);
        run.band("reads wait", slow);
        long after = run.nanos();
        run.until(begun + length);
        run.window("after", after);
    }

    /** @param millis 0: as the run was told */
    private static void delays(PhaseRun run, double millis) {
        DelayList.pairs(run.dcs(), run.options().cluster().delaysMillis()).forEach(pair -> run.nodes()
                .links()
                .set(pair.a(), pair.b(), millis > 0 ? millis : pair.delayMillis(), 0, 0, false));
    }

    private void open(PhaseRun run, List<RawClient> clients, List<Thread> threads) {
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                RawClient client =
                        new RawClient(run.nodes().of(run.dcs().get(i % run.dcs().size())));
                clients.add(client);
                Thread thread = new Thread(() -> readOn(client), "waiting-reads-" + i);
                thread.setDaemon(true);
                thread.start();
                threads.add(thread);
            }
        } catch (IOException e) {
            run.say("the nodes took no more connections: " + e.getMessage());
        }
    }

    private void readOn(RawClient client) {
        try {
            for (int request = 1; request <= REQUESTS_EACH; request++) {
                ask(client, request);
            }
            while (on) {
                RawClient.Frame frame = client.read();
                if (frame.error() == 0) {
                    answered.incrementAndGet();
                } else if (frame.error() == OVERLOADED) {
                    refused.incrementAndGet();
                } else {
                    failed.incrementAndGet();
                }
                ask(client, frame.stream());
            }
        } catch (IOException e) {
            if (on) {
                failed.addAndGet(REQUESTS_EACH);
            }
        }
    }

    private static void ask(RawClient client, int stream) throws IOException {
        client.ask(stream, "SELECT value FROM " + SizeTables.SEQUENTIAL + " WHERE id = " + stream % ROWS);
    }
}
