/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.DataRange;
import org.apache.cassandra.db.Keyspace;
import org.apache.cassandra.db.PartitionRangeReadCommand;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.db.ReadExecutionController;
import org.apache.cassandra.db.ReadResponse;
import org.apache.cassandra.db.filter.ColumnFilter;
import org.apache.cassandra.db.filter.DataLimits;
import org.apache.cassandra.db.filter.RowFilter;
import org.apache.cassandra.db.partitions.PartitionIterator;
import org.apache.cassandra.db.partitions.UnfilteredPartitionIterator;
import org.apache.cassandra.db.rows.RowIterator;
import org.apache.cassandra.dht.Range;
import org.apache.cassandra.dht.Token;
import org.apache.cassandra.exceptions.RequestExecutionException;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.gms.FailureDetector;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.MessagingService;
import org.apache.cassandra.net.RequestCallback;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.service.ClientState;
import org.apache.cassandra.service.pager.QueryPager;
import org.apache.cassandra.service.reads.repair.ReadRepairStrategy;
import org.apache.cassandra.transport.Dispatcher.RequestTime;
import org.apache.cassandra.transport.ProtocolVersion;
import org.apache.cassandra.utils.FBUtilities;
import org.meteorshower.cassandra.background.RepairByReading.UnreadException;

/** By Cassandra's own reads of ranges: digests, as its reads of single partitions use them, and reads at ALL. */
final class ReadReplicas implements RepairByReading.Replicas {
    /** Of each replica's answer, about: all of them are in memory at once. */
    private static final long PAGE_BYTES = 256 << 10;

    /** While it is not known how large rows are. */
    private static final int ROWS_OF_THE_FIRST_PAGE = 10;

    private static final int MOST_ROWS_OF_A_PAGE = 200;

    /** What a reply may take longer than the replica's own time-out. */
    private static final long ON_ITS_WAY_MILLIS = 2_000;

    @Override
    public boolean canBeRead(TableMetadata table) {
        return table.params.readRepair == ReadRepairStrategy.BLOCKING
                && !table.isIndex()
                && !Keyspace.open(table.keyspace).getReplicationStrategy().hasTransientReplicas();
    }

    @Override
    public boolean[] alike(TableMetadata table, List<Range<Token>> ranges)
            throws UnreadException, InterruptedException {
        long nowInSeconds = FBUtilities.nowInSeconds();
        List<List<CompletableFuture<ByteBuffer>>> digests = new ArrayList<>();
        for (Range<Token> range : ranges) {
            digests.add(ask(range, command(table, nowInSeconds, range)));
        }
        boolean[] alike = new boolean[digests.size()];
        for (int i = 0; i < alike.length; i++) {
            alike[i] = areAlike(digests.get(i));
        }
        return alike;
    }

    /** The digests of all of the range's replicas. */
    private static List<CompletableFuture<ByteBuffer>> ask(Range<Token> range, PartitionRangeReadCommand command)
            throws UnreadException {
        EndpointsForToken replicas = Keyspace.open(command.metadata().keyspace)
                .getReplicationStrategy()
                .getNaturalReplicasForToken(range.right);
        if (replicas.size() < 2) {
            return List.of();
        }
        int version = MessagingService.current_version;
        for (Replica replica : replicas) {
            if (!replica.isSelf()) {
                if (!FailureDetector.instance.isAlive(replica.endpoint())) {
                    throw new UnreadException(replica.endpoint() + " is down", null);
                }
                version = Math.min(version, MessagingService.instance().versions.get(replica.endpoint()));
            }
        }
        List<CompletableFuture<ByteBuffer>> asked = new ArrayList<>();
        for (Replica replica : replicas) {
            if (!replica.isSelf()) {
                ReadCommand digest = command.copyAsDigestQuery(replica).setDigestVersion(version);
                asked.add(askOther(replica.endpoint(), digest));
            }
        }
        for (Replica replica : replicas) {
            if (replica.isSelf()) {
                asked.add(askHere(command.copyAsDigestQuery(replica).setDigestVersion(version)));
            }
        }
        return asked;
    }

    private static CompletableFuture<ByteBuffer> askOther(InetAddressAndPort endpoint, ReadCommand digest) {
        CompletableFuture<ByteBuffer> answer = new CompletableFuture<>();
        MessagingService.instance()
                .sendWithCallback(
                        digest.createMessage(false, RequestTime.forImmediateExecution()),
                        endpoint,
                        new RequestCallback<ReadResponse>() {
                            @Override
                            public void onResponse(Message<ReadResponse> message) {
                                answer.complete(message.payload.digest(digest));
                            }

                            @Override
                            public void onFailure(InetAddressAndPort from, RequestFailureReason reason) {
                                answer.completeExceptionally(new UnreadException(from + ": " + reason, null));
                            }

                            @Override
                            public boolean invokeOnFailure() {
                                return true;
                            }
                        });
        return answer;
    }

    private static CompletableFuture<ByteBuffer> askHere(ReadCommand digest) throws UnreadException {
        try (ReadExecutionController controller = digest.executionController();
                UnfilteredPartitionIterator rows = digest.executeLocally(controller)) {
            return CompletableFuture.completedFuture(digest.createResponse(rows, controller.getRepairedDataInfo())
                    .digest(digest));
        } catch (RuntimeException e) { // such as too many tombstones
            throw new UnreadException("this node: " + e.getMessage(), e);
        }
    }

    private static boolean areAlike(List<CompletableFuture<ByteBuffer>> digests)
            throws UnreadException, InterruptedException {
        long mostMillis = DatabaseDescriptor.getRangeRpcTimeout(TimeUnit.MILLISECONDS) + ON_ITS_WAY_MILLIS;
        ByteBuffer first = null;
        boolean alike = true;
        for (CompletableFuture<ByteBuffer> digest : digests) {
            try {
                ByteBuffer one = digest.get(mostMillis, TimeUnit.MILLISECONDS);
                alike &= first == null || first.equals(one);
                first = one;
            } catch (ExecutionException e) {
                throw new UnreadException(String.valueOf(e.getCause()), e);
            } catch (TimeoutException e) {
                throw new UnreadException("no answer from a replica", e);
            }
        }
        return alike;
    }

    @Override
    public long bringTogether(TableMetadata table, Range<Token> range, long mostBytes, Pace pace)
            throws UnreadException, InterruptedException {
        QueryPager pager = command(table, FBUtilities.nowInSeconds(), range).getPager(null, ProtocolVersion.CURRENT);
        Counted all = new Counted(0, 0);
        int pageRows = ROWS_OF_THE_FIRST_PAGE;
        while (all.bytes < mostBytes && !pager.isExhausted()) {
            if (all.rows > 0) {
                pace.next();
            }
            try (PartitionIterator page = pager.fetchPage(
                    pageRows,
                    ConsistencyLevel.ALL,
                    ClientState.forInternalCalls(),
                    RequestTime.forImmediateExecution())) {
                Counted read = readToItsEnd(page);
                all = new Counted(all.rows + read.rows, all.bytes + read.bytes);
                pageRows = rowsOfAPage(read);
            } catch (RequestExecutionException e) {
                throw new UnreadException(String.valueOf(e.getMessage()), e);
            }
        }
        return all.bytes;
    }

    private record Counted(long rows, long bytes) {}

    private static int rowsOfAPage(Counted last) {
        long each = last.rows == 0 ? PAGE_BYTES : Math.max(1, last.bytes / last.rows);
        return (int) Math.max(1, Math.min(MOST_ROWS_OF_A_PAGE, PAGE_BYTES / each));
    }

    /** What replicas lack goes to them meanwhile. */
    private static Counted readToItsEnd(PartitionIterator page) {
        long count = 0;
        long bytes = 0;
        while (page.hasNext()) {
            try (RowIterator rows = page.next()) {
                count++; // its static row, too
                bytes += rows.partitionKey().getKey().remaining()
                        + rows.staticRow().dataSize();
                while (rows.hasNext()) {
                    count++;
                    bytes += rows.next().dataSize();
                }
            }
        }
        return new Counted(count, bytes);
    }

    private static PartitionRangeReadCommand command(TableMetadata table, long nowInSeconds, Range<Token> range) {
        return PartitionRangeReadCommand.create(
                table,
                nowInSeconds,
                ColumnFilter.all(table),
                RowFilter.none(),
                DataLimits.NONE,
                DataRange.forTokenRange(range));
    }
}
