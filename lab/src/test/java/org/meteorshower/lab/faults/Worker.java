/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.meteorshower.checker.Operation;
import org.meteorshower.client.WriteInfo;

/** One session that reads and writes rows at random and writes down what it saw. Runs on one thread, to its end. */
final class Worker implements Runnable {
    private static final Duration LAST_READS = Duration.ofSeconds(60);
    private static final int PAUSE_AFTER_FAILURE_MILLIS = 100;

    private final Workload workload;
    private final Client client;
    private final String session;
    private final Random random;
    private final List<Operation> operations = new ArrayList<>();
    private int written;
    private long moveNanos;

    Worker(Workload workload, Client client, String session, long seed) {
        this.workload = workload;
        this.client = client;
        this.session = session;
        this.random = new Random(seed);
    }

    /** To be read when it has ended. */
    List<Operation> operations() {
        return operations;
    }

    @Override
    public void run() {
        try {
            while (workload.isOn()) {
                moveSometimes();
                int row = random.nextInt(workload.rows());
                try {
                    if (random.nextBoolean()) {
                        read(row);
                    } else {
                        write(row);
                    }
                } catch (RuntimeException e) {
                    workload.failed(client.dc(), e);
                    Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
                }
                Thread.sleep(random.nextInt(workload.maxPauseMillis()));
            }
            readAllEverywhere();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (AssertionError e) {
            workload.note(session + " could not do its last reads: " + e.getMessage());
            throw e;
        }
    }

    private void moveSometimes() {
        List<String> dcs = new ArrayList<>();
        client.reachable().forEach(dcs::add);
        long now = System.nanoTime();
        if (dcs.size() > 1 && now - moveNanos >= 0) {
            client.moveTo(dcs.get(random.nextInt(dcs.size())));
            moveNanos = now + random.nextLong(Duration.ofMillis(500).toNanos());
        }
    }

    /** In each session's order these come after all that it did: what it wrote must be there, or overwritten. */
    private void readAllEverywhere() throws InterruptedException {
        for (String dc : client.reachable()) {
            for (int row = 0; row < workload.rows(); row++) {
                int each = row;
                Waiting.until(LAST_READS, () -> {
                    client.moveTo(dc);
                    read(each);
                });
            }
        }
    }

    private void read(int row) {
        long start = workload.nanos();
        Row found = client.execute(SimpleStatement.newInstance(workload.select(), row))
                .one();
        operations.add(Operation.read(
                session, workload.key(row), found == null ? null : found.getString(0), start, workload.nanos()));
        workload.succeeded(client.dc(), Operation.Type.READ);
    }

    private void write(int row) {
        String value = session + "-" + written++;
        long start = workload.nanos();
        try {
            ResultSet result = client.execute(SimpleStatement.newInstance(workload.insert(), row, value));
            long version = WriteInfo.of(result.getExecutionInfo())
                    .map(WriteInfo::timestampMicros)
                    .orElse(Operation.NO_VERSION);
            operations.add(Operation.write(session, workload.key(row), value, start, workload.nanos(), version));
            workload.succeeded(client.dc(), Operation.Type.WRITE);
        } catch (RuntimeException e) {
            operations.add(
                    client.mayHaveTakenEffect(e)
                            ? Operation.unknownWrite(session, workload.key(row), value, start, Operation.NO_VERSION)
                            : Operation.failedWrite(session, workload.key(row), value, start, workload.nanos()));
            throw e;
        }
    }
}
