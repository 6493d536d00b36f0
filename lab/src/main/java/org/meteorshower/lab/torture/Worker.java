/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.Operation;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.client.Served;
import org.meteorshower.client.WriteInfo;

/** One session that reads and writes rows at random and writes down what it saw. Runs on one thread, to its end. */
final class Worker implements Runnable {
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 100;
    private static final long MOST_BEFORE_MOVE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long LAST_READS_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Workload workload;
    private final Client client;
    private final String session;
    private final Random random;
    private final long pauseNanos;
    private final List<Operation> operations = new ArrayList<>();
    private final List<Sample> samples = new ArrayList<>();
    private int written;
    private long moveNanos = System.nanoTime();

    Worker(Workload workload, Client client, String session, long seed, long pauseNanos) {
        this.workload = workload;
        this.client = client;
        this.session = session;
        this.random = new Random(seed);
        this.pauseNanos = pauseNanos;
    }

    /** To be read when it has ended. */
    List<Operation> operations() {
        return operations;
    }

    List<Sample> samples() {
        return samples;
    }

    @Override
    public void run() {
        try {
            while (workload.isOn()) {
                moveSometimes();
                long begun = System.nanoTime();
                if (!once(random.nextInt(workload.rows()), random.nextDouble() < workload.readShare())) {
                    Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
                }
                // A closed loop that does at most so many operations a second.
                LockSupport.parkNanos(begun + pauseNanos / 2 + random.nextLong(pauseNanos + 1) - System.nanoTime());
            }
            readAllEverywhere();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void moveSometimes() {
        List<String> dcs = client.reachable();
        long now = System.nanoTime();
        if (dcs.size() > 1 && now - moveNanos >= 0) {
            client.moveTo(dcs.get(random.nextInt(dcs.size())));
            moveNanos = now + random.nextLong(MOST_BEFORE_MOVE_NANOS);
        }
    }

    /** Returns whether it succeeded. */
    private boolean once(int row, boolean isRead) {
        long start = workload.nanos();
        int from = workload.number(client.dc());
        try {
            boolean local = isRead ? read(row, start) : write(row, start);
            note(start, from, workload.number(client.dc()), isRead ? Sample.What.READ : Sample.What.WRITE, local);
            return true;
        } catch (RuntimeException e) {
            note(start, from, from, Sample.What.FAILED, false);
            workload.failed(e);
            return false;
        }
    }

    private void note(long start, int from, int dc, Sample.What what, boolean local) {
        Sample sample = new Sample(start, workload.nanos(), from, dc, what, local);
        samples.add(sample);
        workload.count(sample);
    }

    /** In each session's order these come after all that it did: what it wrote must be there, or overwritten. */
    private void readAllEverywhere() throws InterruptedException {
        long deadline = System.nanoTime() + LAST_READS_NANOS;
        for (String dc : client.reachable()) {
            for (int row = 0; row < workload.rows(); row++) {
                client.moveTo(dc);
                while (!once(row, true)) {
                    if (System.nanoTime() - deadline >= 0) {
                        workload.incomplete(session);
                        return;
                    }
                    Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
                    client.moveTo(dc);
                }
            }
        }
    }

    private boolean read(int row, long start) {
        ResultSet result = client.execute(Table.select(row));
        @Nullable Row found = result.one();
        operations.add(Operation.read(
                session, Table.key(row), found == null ? null : found.getString(0), start, workload.nanos()));
        return ReadInfo.of(result.getExecutionInfo())
                .map(info -> info.served() == Served.LOCAL || info.served() == Served.OLDER)
                .orElse(false);
    }

    private boolean write(int row, long start) {
        String value = session + "-" + written++;
        try {
            ResultSet result = client.execute(Table.insert(row, value));
            long version = WriteInfo.of(result.getExecutionInfo())
                    .map(WriteInfo::timestampMicros)
                    .orElse(Operation.NO_VERSION);
            operations.add(Operation.write(session, Table.key(row), value, start, workload.nanos(), version));
            return false;
        } catch (RuntimeException e) {
            operations.add(
                    client.mayHaveTakenEffect(e)
                            ? Operation.unknownWrite(session, Table.key(row), value, start, Operation.NO_VERSION)
                            : Operation.failedWrite(session, Table.key(row), value, start, workload.nanos()));
            throw e;
        }
    }
}
