/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.schema.TableId;
import org.meteorshower.cassandra.placement.PlacementKeeper;
import org.meteorshower.cassandra.read.GatheredRows;
import org.meteorshower.cassandra.read.LocalScan;
import org.meteorshower.cassandra.read.LocalScans;
import org.meteorshower.cassandra.tables.EnabledTables;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.RequestRefusedException;

/**
 * Reads this node's parts of scans for other coordinators, on a bounded pool of its own. Only ranges of enabled tables
 * are read, and of these what the scan was opened for. A scan that its coordinator forgets ends at its deadline.
 * Thread-safe.
 */
public final class ForwardedScans implements AutoCloseable {
    private static final int QUEUED = 256;
    private static final int MOST_OPEN = 256;
    private static final long MOST_MICROS = 60_000_000;

    private final LocalScans scans;
    private final EnabledTables enabled;
    private final ServingPool pool;
    private final Map<Long, Held> open = new ConcurrentHashMap<>();

    public ForwardedScans(LocalScans scans, EnabledTables enabled) {
        this.scans = scans;
        this.enabled = enabled;
        int threads = Math.max(2, Math.min(16, DatabaseDescriptor.getConcurrentReaders()));
        this.pool = new ServingPool("MeteorShower-Scan", threads, QUEUED);
    }

    public static boolean isOne(byte[] request) {
        return ScanRequest.isOne(request);
    }

    /** The answer to such a call. Does not block. */
    public CompletableFuture<byte[]> called(NodeId from, byte[] request) {
        return pool.answer(
                () -> answerTo(from, request),
                () -> ScanAnswer.refused(new RequestRefusedException(
                        Failure.OVERLOADED, "the node asked has " + QUEUED + " parts of scans waiting already.")));
    }

    private byte[] answerTo(NodeId from, byte[] request) {
        try {
            return ScanRequest.decode(request).handOver(new Answering(from));
        } catch (RequestRefusedException e) {
            return ScanAnswer.refused(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ScanAnswer.refused(
                    new RequestRefusedException(Failure.NOT_READY, "the node asked is shutting down"));
        }
    }

    /** For one coordinator. */
    private final class Answering implements ScanRequest.Handler {
        private final NodeId from;

        Answering(NodeId from) {
            this.from = from;
        }

        @Override
        public byte[] on(ScanRequest.Open asked) throws RequestRefusedException, InterruptedException {
            requireServable(asked.table().id, asked.table().toString());
            if (open.size() >= MOST_OPEN) {
                throw new RequestRefusedException(
                        Failure.OVERLOADED, "the node asked has " + MOST_OPEN + " parts of scans open already.");
            }
            long leftMicros = Math.max(0, Math.min(MOST_MICROS, asked.remainingMicros()));
            long deadlineNanos = System.nanoTime() + 1_000 * leftMicros;
            LocalScan scan = scans.open(asked.table(), asked.ranges(), asked.tokenMicros(), deadlineNanos, true);
            long id = ThreadLocalRandom.current().nextLong();
            open.put(id, new Held(from, asked.table().id, scan, deadlineNanos));
            return new ScanAnswer.Opened(id, scan.info()).encode();
        }

        private Held held(long id) throws RequestRefusedException {
            Held held = open.get(id);
            if (held == null || !held.from.equals(from)) {
                throw new RequestRefusedException(Failure.CUT_GONE, "the scan is not open at the node asked any more");
            }
            return held;
        }

        @Override
        public byte[] on(ScanRequest.Lower asked) throws RequestRefusedException, InterruptedException {
            return ScanAnswer.lowered(held(asked.scanId()).newestUpTo(asked.mostMicros()));
        }

        @Override
        public byte[] on(ScanRequest.Read asked) throws RequestRefusedException, InterruptedException {
            Held held = held(asked.scanId());
            requireServable(held.table, held.table.toString());
            byte[] answer = held.read(asked);
            requireServable(held.table, held.table.toString());
            return answer;
        }

        @Override
        public byte[] on(ScanRequest.Close asked) {
            Held held = open.get(asked.scanId());
            if (held != null && held.from.equals(from)) {
                end(asked.scanId());
            }
            return ScanAnswer.closed();
        }
    }

    private void requireServable(TableId table, String name) throws RequestRefusedException {
        if (enabled.of(table) == null) {
            throw new RequestRefusedException(Failure.NOT_READY, name + " is not enabled on the node asked");
        }
        if (!PlacementKeeper.isOnRing()) { // it would wait for nobody
            throw new RequestRefusedException(Failure.NOT_A_REPLICA, "the node asked has left the ring");
        }
    }

    private void end(long id) {
        Held held = open.remove(id);
        if (held != null) {
            held.close();
        }
    }

    /** One that is open. Calls that use it wait for each other. */
    private static final class Held {
        private final NodeId from;
        private final TableId table;
        private final LocalScan scan;
        private final long deadlineNanos;

        Held(NodeId from, TableId table, LocalScan scan, long deadlineNanos) {
            this.from = from;
            this.table = table;
            this.scan = scan;
            this.deadlineNanos = deadlineNanos;
        }

        boolean isOverdue() {
            return System.nanoTime() - deadlineNanos >= 0;
        }

        synchronized long newestUpTo(long mostMicros) throws RequestRefusedException, InterruptedException {
            return scan.newestUpTo(mostMicros);
        }

        synchronized byte[] read(ScanRequest.Read asked) throws RequestRefusedException, InterruptedException {
            List<PartitionRangeReadCommand> commands = asked.commands();
            for (PartitionRangeReadCommand command : commands) {
                if (!command.metadata().id.equals(table)
                        || !scan.covers(command.dataRange().keyRange())) {
                    throw new IllegalArgumentException("a scan is asked for what it was not opened for: " + command);
                }
            }
            scan.raise(asked.cutMicros());
            GatheredRows gathered = scan.gathering();
            try {
                return new ScanAnswer.Found(scan.rowsForEach(commands, gathered)).encode(commands);
            } finally {
                gathered.giveBack();
            }
        }

        synchronized void close() {
            scan.close();
        }
    }

    /** To be called every second or so: ends what its coordinator has forgotten. */
    public void look() {
        open.forEach((id, held) -> {
            if (held.isOverdue()) {
                end(id);
            }
        });
    }

    @Override
    public void close() {
        pool.close();
        List.copyOf(open.keySet()).forEach(this::end);
    }
}
