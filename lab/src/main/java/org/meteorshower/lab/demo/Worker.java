/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.meteorshower.checker.Operation;

/**
 * One client in one phase: a closed loop of reads and writes on rows drawn uniformly. Everything it does is written
 * down. For one thread.
 */
final class Worker implements Runnable {
    private static final long MOVE_LEAST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long MOVE_MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(1_500);

    private final Participant participant;
    private final RowClient client;
    private final SessionLog log;
    private final PhaseWindow window;
    private final Pace pace;
    private final RandomGenerator random;
    private final long epochNanos;
    private long nextMoveNanos;

    Worker(Participant participant, PhaseWindow window, Workload workload, long epochNanos) {
        this.participant = participant;
        this.window = window;
        this.epochNanos = epochNanos;
        client = participant.client(window.phase().mode());
        log = participant.log(window.phase().mode());
        random = participant.random();
        long now = System.nanoTime();
        pace = new Pace(workload, now, random);
        nextMoveNanos = now + random.nextLong(MOVE_LEAST_NANOS, MOVE_MOST_NANOS);
    }

    @Override
    public void run() {
        client.moveTo(participant.home());
        for (long now = pace.await(window.endNanos()); window.isOpen(now); now = pace.await(window.endNanos())) {
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
            boolean moveDue = participant.moves() && now - nextMoveNanos >= 0;
            int row = participant.randomRow();
            OperationStats stats = window.stats().at(client.dataCentre());
            if (random.nextDouble() < window.phase().readShare()) {
                read(row, stats, true);
            } else {
                write(row, stats);
                if (moveDue) {
                    move(row);
                }
            }
        }
    }

    /**
     * As a user whose next request another data centre serves, and who looks at once for what was just saved. That read
     * is checked, not measured: measured are rows drawn uniformly.
     */
    private void move(int rowJustWritten) {
        client.moveTo(participant.elsewhere(client.dataCentre()));
        nextMoveNanos = System.nanoTime() + random.nextLong(MOVE_LEAST_NANOS, MOVE_MOST_NANOS);
        read(rowJustWritten, window.stats().at(client.dataCentre()), false);
    }

    private void read(int row, OperationStats stats, boolean measured) {
        Mode mode = window.phase().mode();
        long start = System.nanoTime();
        try {
            RowClient.Answer answer = client.read(mode, row);
            long end = System.nanoTime();
            log.read(participant.key(mode, row), answer.value(), start - epochNanos, end - epochNanos);
            if (measured && window.isMeasured(start)) {
                stats.read(end - start, answer.info());
            }
        } catch (RuntimeException e) {
            // A read without an answer says nothing, so the history does without it.
            stats.failed("read: " + e);
        }
    }

    private void write(int row, OperationStats stats) {
        Mode mode = window.phase().mode();
        String key = participant.key(mode, row);
        String value = participant.nextValue();
        long start = System.nanoTime();
        try {
            long version = client.write(mode, row, value);
            long end = System.nanoTime();
            log.written(key, value, start - epochNanos, end - epochNanos, version);
            if (window.isMeasured(start)) {
                stats.written(end - start);
            }
        } catch (RuntimeException e) {
            if (client.mayHaveTakenEffect(e)) {
                log.unknownWrite(key, value, start - epochNanos, Operation.NO_VERSION);
            } else {
                log.failedWrite(key, value, start - epochNanos, System.nanoTime() - epochNanos);
            }
            stats.failed("write: " + e);
        }
    }
}
