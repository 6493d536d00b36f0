/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.Operation;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.client.Served;
import org.meteorshower.client.WriteInfo;

/** One session that reads and writes rows at random and writes down what it saw. */
final class ReadWorker extends TortureWorker {
    private static final long MOST_BEFORE_MOVE_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final long LAST_READS_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final ReadWorkload workload;
    private final ReadClient client;
    private final List<Operation> operations = new ArrayList<>();
    private int written;
    private long moveNanos = System.nanoTime();

    ReadWorker(ReadWorkload workload, ReadClient client, String session, int number) {
        super(workload, session, number);
        this.workload = workload;
        this.client = client;
    }

    /** To be read when it has ended. */
    List<Operation> operations() {
        return operations;
    }

    @Override
    boolean once() {
        moveSometimes();
        return once(random().nextInt(workload.rows()), random().nextDouble() < workload.readShare());
    }

    private void moveSometimes() {
        List<String> dcs = client.reachable();
        long now = System.nanoTime();
        if (dcs.size() > 1 && now - moveNanos >= 0) {
            client.moveTo(dcs.get(random().nextInt(dcs.size())));
            moveNanos = now + random().nextLong(MOST_BEFORE_MOVE_NANOS);
        }
    }

    /** Returns whether it succeeded. */
    private boolean once(int row, boolean isRead) {
        long start = workload.nanos();
        int from = workload.number(client.dc());
        try {
            boolean local = isRead ? read(row, start) : write(row, start);
            timed(start, from, workload.number(client.dc()), isRead ? Sample.What.READ : Sample.What.WRITE, local);
            return true;
        } catch (RuntimeException e) {
            timed(start, from, from, Sample.What.FAILED, false);
            workload.failed(e.getClass().getSimpleName());
            return false;
        }
    }

    private void timed(long start, int from, int dc, Sample.What what, boolean local) {
        note(new Sample(start, workload.nanos(), from, dc, what, local));
        workload.count(what);
    }

    /** In each session's order these come after all that it did: what it wrote must be there, or overwritten. */
    @Override
    void last() throws InterruptedException {
        long deadline = System.nanoTime() + LAST_READS_NANOS;
        for (String dc : client.reachable()) {
            for (int row = 0; row < workload.rows(); row++) {
                client.moveTo(dc);
                while (!once(row, true)) {
                    if (System.nanoTime() - deadline >= 0) {
                        workload.incomplete(session());
                        return;
                    }
                    Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
                    client.moveTo(dc);
                }
            }
        }
    }

    private boolean read(int row, long start) {
        ResultSet result = client.execute(RowsTable.select(row));
        @Nullable Row found = result.one();
        operations.add(Operation.read(
                client.orderOf(session(), session() + " alone at " + start, result.getExecutionInfo()),
                RowsTable.key(row),
                found == null ? null : found.getString(0),
                start,
                workload.nanos()));
        return ReadInfo.of(result.getExecutionInfo())
                .map(info -> info.served() == Served.LOCAL || info.served() == Served.OLDER)
                .orElse(false);
    }

    private boolean write(int row, long start) {
        String value = session() + "-" + written++;
        try {
            ResultSet result = client.execute(RowsTable.insert(row, value));
            long version = WriteInfo.of(result.getExecutionInfo())
                    .map(WriteInfo::timestampMicros)
                    .orElse(Operation.NO_VERSION);
            String order = client.orderOf(session(), value + " alone", result.getExecutionInfo());
            operations.add(Operation.write(order, RowsTable.key(row), value, start, workload.nanos(), version));
            return false;
        } catch (RuntimeException e) {
            String order = client.orderOf(
                    session(),
                    value + " alone",
                    e instanceof DriverException failure ? failure.getExecutionInfo() : null);
            operations.add(
                    client.mayHaveTakenEffect(e)
                            ? Operation.unknownWrite(order, RowsTable.key(row), value, start, Operation.NO_VERSION)
                            : Operation.failedWrite(order, RowsTable.key(row), value, start, workload.nanos()));
            throw e;
        }
    }
}
