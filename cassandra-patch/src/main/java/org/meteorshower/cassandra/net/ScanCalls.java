/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.db.PartitionPosition;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.partitions.ImmutableBTreePartition;
import org.apache.cassandra.dht.AbstractBounds;
import org.apache.cassandra.schema.TableMetadata;
import org.meteorshower.cassandra.read.GatheredRows;
import org.meteorshower.cassandra.read.LocalScan;
import org.meteorshower.cassandra.read.ScansElsewhere;
import org.meteorshower.cassandra.ways.Way;
import org.meteorshower.cassandra.ways.Ways;
import org.meteorshower.protocol.Effect.Failure;
import org.meteorshower.protocol.Effect.ReadInfo;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.RequestRefusedException;
import org.meteorshower.runtime.Transport;

/** Lets other nodes read parts of a scan, by calls. Thread-safe. */
public final class ScanCalls implements ScansElsewhere {
    /** A node that stands still must leave time for others: it gets so much of what is left. */
    private static final int PART_OF_TIME = 4;

    private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final NodeId self;
    private final Transport transport;
    private final Ways ways;

    public ScanCalls(NodeId self, Transport transport, Ways ways) {
        this.self = self;
        this.transport = transport;
        this.ways = ways;
    }

    @Override
    public List<NodeId> nearestFirst(Collection<NodeId> nodes) {
        Ways.Choice choice = ways.choose(LiveReplicas.of(nodes, self), System.nanoTime());
        choice.probes().forEach(way -> Probe.send(transport, way));
        return choice.order().stream().map(Way::node).toList();
    }

    @Override
    public CompletableFuture<Part> open(
            NodeId node,
            TableMetadata table,
            List<AbstractBounds<PartitionPosition>> ranges,
            long tokenMicros,
            long deadlineNanos) {
        long leftNanos = Math.max(0, deadlineNanos - System.nanoTime());
        byte[] request = new ScanRequest.Open(table, ranges, tokenMicros, leftNanos / 1_000).encode();
        long patienceNanos = Math.min(leftNanos, Math.max(LEAST_NANOS, leftNanos / PART_OF_TIME));
        return transport.call(node, request, Duration.ofNanos(patienceNanos)).thenApply(bytes -> {
            try {
                ScanAnswer.Opened opened = ScanAnswer.opened(bytes);
                return new Remote(transport, node, opened.scanId(), opened.info(), deadlineNanos);
            } catch (RequestRefusedException e) {
                throw new CompletionException(e);
            }
        });
    }

    /** A part that another node reads. */
    private record Remote(Transport transport, NodeId node, long scanId, ReadInfo info, long deadlineNanos)
            implements Part {
        @Override
        public CompletableFuture<List<ImmutableBTreePartition>> rowsFor(
                long cutMicros,
                PartitionRangeReadCommand page,
                List<AbstractBounds<PartitionPosition>> ranges,
                int limit,
                GatheredRows held) {
            return new Reading(this, cutMicros, page, ranges, limit, held).begin();
        }

        @Override
        public CompletableFuture<Long> newestUpTo(long mostMicros) {
            return call(new ScanRequest.Lower(scanId, mostMicros).encode()).thenApply(bytes -> {
                try {
                    return ScanAnswer.lowered(bytes);
                } catch (RequestRefusedException e) {
                    throw new CompletionException(e);
                }
            });
        }

        CompletableFuture<byte[]> call(byte[] request) {
            return transport.call(node, request, Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime())));
        }

        @Override
        public void close() {
            var unused = transport.call(node, new ScanRequest.Close(scanId).encode(), Duration.ofSeconds(1));
        }
    }

    /**
     * One reading of some ranges, in as many calls as it takes so that no answer is too large. Used by one thread after
     * the other.
     */
    private static final class Reading {
        private static final int FIRST_ROWS = 1_000;

        /** What one answer is to take, about. */
        private static final long WANTED_BYTES = ReadResponse.MAX_BYTES / 4;

        private final Remote part;
        private final long cutMicros;
        private final PartitionRangeReadCommand page;
        private final List<AbstractBounds<PartitionPosition>> left;
        private final int limit;
        private final List<ImmutableBTreePartition> found = new ArrayList<>();
        private int rows;

        private final GatheredRows held;

        /** Asked for at once, at most. */
        private int step = FIRST_ROWS;

        /** From where it goes on now, so many rows were too large for one answer. */
        private int tooMany = Integer.MAX_VALUE;

        Reading(
                Remote part,
                long cutMicros,
                PartitionRangeReadCommand page,
                List<AbstractBounds<PartitionPosition>> ranges,
                int limit,
                GatheredRows held) {
            this.part = part;
            this.cutMicros = cutMicros;
            this.page = page;
            this.left = new ArrayList<>(ranges);
            this.limit = limit;
            this.held = held;
        }

        CompletableFuture<List<ImmutableBTreePartition>> begin() {
            if (left.isEmpty() || rows >= limit) {
                return CompletableFuture.completedFuture(found);
            }
            int most = Math.min(step, limit - rows);
            List<PartitionRangeReadCommand> commands = left.stream()
                    .map(range -> LocalScan.within(page, range, most))
                    .toList();
            return part.call(new ScanRequest.Read(part.scanId(), cutMicros, commands).encode())
                    .thenCompose(bytes -> {
                        try {
                            answered(bytes, commands, most);
                        } catch (RequestRefusedException e) {
                            throw new CompletionException(e);
                        }
                        return begin();
                    });
        }

        private void answered(byte[] bytes, List<PartitionRangeReadCommand> commands, int asked)
                throws RequestRefusedException {
            try {
                take(ScanAnswer.found(bytes, commands), bytes.length, asked);
            } catch (ScanAnswer.TooLargeException e) {
                takeSmallerSteps(asked);
            }
        }

        private void takeSmallerSteps(int tried) throws RequestRefusedException {
            if (tried == 1) {
                throw tooLarge("a row");
            }
            tooMany = tried;
            step = Math.max(1, tried / 8);
        }

        private static RequestRefusedException tooLarge(String what) {
            return new RequestRefusedException(
                    Failure.OVERLOADED,
                    what + " takes more than the " + ReadResponse.MAX_BYTES
                            + " bytes that one node asks of another: read it by its key, in pages");
        }

        private void take(ScanAnswer.Found answer, int bytes, int asked) throws RequestRefusedException {
            int got = 0;
            int last = answer.partitions().size() - 1;
            for (List<ImmutableBTreePartition> some : answer.partitions()) {
                got += GatheredRows.rowsOf(some);
            }
            for (int i = 0; i < last; i++) {
                keep(answer.partitions().get(i));
            }
            AbstractBounds<PartitionPosition> lastRange = left.get(last);
            left.subList(0, last + 1).clear();
            step = (int) Math.max(1, Math.min(limit, asked * WANTED_BYTES / Math.max(1, bytes)));
            if (got >= asked && rows < limit) {
                takeUpToCut(answer.partitions().get(last), lastRange, asked);
            } else {
                keep(answer.partitions().get(last));
                tooMany = Integer.MAX_VALUE;
            }
        }

        /** Of the last partition there may be more. Where there is no other one, more of it is asked for. */
        private void takeUpToCut(
                List<ImmutableBTreePartition> partitions, AbstractBounds<PartitionPosition> range, int asked)
                throws RequestRefusedException {
            boolean isWhole = page.metadata().clusteringColumns().isEmpty();
            int whole = isWhole || rows + GatheredRows.rowsOf(partitions) >= limit
                    ? partitions.size()
                    : partitions.size() - 1;
            if (whole > 0) {
                keep(partitions.subList(0, whole));
                PartitionPosition from = partitions.get(whole - 1).partitionKey();
                left.add(0, AbstractBounds.bounds(from, false, range.right, range.inclusiveRight()));
                tooMany = Integer.MAX_VALUE;
            } else {
                left.add(0, range);
                step = Math.max(step, asked + asked);
                if (step >= tooMany) {
                    step = asked + (tooMany - asked) / 2;
                }
                if (step - asked <= asked / 8) {
                    throw tooLarge("a partition");
                }
            }
        }

        private void keep(List<ImmutableBTreePartition> partitions) throws RequestRefusedException {
            for (ImmutableBTreePartition partition : partitions) {
                held.take(partition);
                found.add(partition);
                rows += GatheredRows.rowsOf(partition);
            }
        }
    }
}
