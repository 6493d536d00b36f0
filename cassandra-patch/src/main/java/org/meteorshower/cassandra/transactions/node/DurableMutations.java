/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.db.BufferClusteringBound;
import org.apache.cassandra.db.ClusteringBound;
import org.apache.cassandra.db.ClusteringPrefix;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.DeletionTime;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.RangeTombstone;
import org.apache.cassandra.db.Slice;
import org.apache.cassandra.db.marshal.Int32Type;
import org.apache.cassandra.db.marshal.LongType;
import org.apache.cassandra.db.partitions.PartitionUpdate;
import org.apache.cassandra.schema.TableMetadata;
import org.apache.cassandra.utils.FBUtilities;
import org.meteorshower.transactions.codec.DataOut;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.codec.StoreCodec;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.StoredRow;

/**
 * Records as Cassandra's mutations. A batch becomes one, unless it is large. Each record's write timestamp is what it is ordered by, so
 * that one that comes late changes nothing. Thread-safe.
 */
final class DurableMutations {
    /** A mutation larger than half of a commit log segment is refused by Cassandra: stay well below the smallest in use. */
    private static final int MOST_BYTES = 512 << 10;

    private static final int REDO_CHUNK_BYTES = 256 << 10;

    /** Above every ballot and count: what is deleted under it stays deleted whatever comes late. */
    private static final long DELETED = Long.MAX_VALUE / 2;

    private final LogKeyspace keyspace;
    private final long life;
    private final DecoratedKey key;

    DurableMutations(LogKeyspace keyspace, long life) {
        this.keyspace = keyspace;
        this.life = life;
        this.key = keyspace.metadata("accepts")
                .partitioner
                .decorateKey(Int32Type.instance.decompose(LogKeyspace.PARTITION));
    }

    /** In an order in which they may be written one after another: what completes a record comes last. */
    List<Mutation> of(List<Durable> records) {
        List<Mutation> mutations = new ArrayList<>();
        Mutation.SimpleBuilder batch = Mutation.simpleBuilder(keyspace.name(), key);
        int bytes = 0;
        for (Durable record : records) {
            if (record instanceof Durable.Redo redo) {
                mutations.addAll(redo(redo));
                continue;
            }
            bytes += add(record, batch);
            if (bytes > MOST_BYTES) {
                mutations.add(batch.build());
                batch = Mutation.simpleBuilder(keyspace.name(), key);
                bytes = 0;
            }
        }
        if (bytes > 0) {
            mutations.add(batch.build());
        }
        return mutations;
    }

    /** Returns about how many bytes it takes. */
    private int add(Durable record, Mutation.SimpleBuilder batch) {
        if (record instanceof Durable.Promise promise) {
            batch.update(keyspace.metadata("promises"))
                    .row(promise.lane())
                    .timestamp(promise.ballot())
                    .add("ballot", promise.ballot());
        } else if (record instanceof Durable.Accept accept) {
            byte[] entry = LogCodec.bytes(accept.entry());
            batch.update(keyspace.metadata("accepts"))
                    .row(accept.lane(), accept.position())
                    .timestamp(accept.ballot())
                    .add("ballot", accept.ballot())
                    .add("entry", ByteBuffer.wrap(entry));
            return 64 + entry.length;
        } else if (record instanceof Durable.Truncate truncate) {
            batch.update(keyspace.metadata("floors"))
                    .row(truncate.lane())
                    .timestamp(truncate.floor())
                    .add("floor", truncate.floor());
            batch.update(keyspace.metadata("accepts"))
                    .addRangeTombstone(acceptsBelow(truncate.lane(), truncate.floor()));
        } else if (record instanceof Durable.Generation generation) {
            batch.update(keyspace.metadata("generations"))
                    .row(generation.dc())
                    .timestamp(generation.generation())
                    .add("generation", generation.generation())
                    .add("life", generation.life());
        } else if (record instanceof Durable.Installing installing) {
            checkpoint("installing", installing.checkpoint(), batch);
        } else if (record instanceof Durable.Done done) {
            done(done.checkpoint(), batch);
        }
        return 256;
    }

    private PartitionUpdate.SimpleBuilder checkpoint(String kind, Checkpoint checkpoint, Mutation.SimpleBuilder batch) {
        PartitionUpdate.SimpleBuilder update = batch.update(keyspace.metadata("checkpoints"));
        update.row(kind)
                .timestamp(checkpoint.count() + 1)
                .add("content", ByteBuffer.wrap(StoreCodec.bytes(checkpoint)));
        return update;
    }

    private void done(Checkpoint checkpoint, Mutation.SimpleBuilder batch) {
        checkpoint("done", checkpoint, batch)
                .row("installing")
                .timestamp(checkpoint.count() + 1)
                .delete();
        batch.update(keyspace.metadata("redo")).addRangeTombstone(redoUpTo(checkpoint.count()));
    }

    private static RangeTombstone acceptsBelow(int lane, long floor) {
        ByteBuffer prefix = Int32Type.instance.decompose(lane);
        return deletion(
                BufferClusteringBound.create(ClusteringPrefix.Kind.INCL_START_BOUND, new ByteBuffer[] {prefix}),
                BufferClusteringBound.create(
                        ClusteringPrefix.Kind.EXCL_END_BOUND,
                        new ByteBuffer[] {prefix.duplicate(), LongType.instance.decompose(floor)}));
    }

    private static RangeTombstone redoUpTo(long count) {
        return deletion(
                BufferClusteringBound.BOTTOM,
                BufferClusteringBound.create(
                        ClusteringPrefix.Kind.INCL_END_BOUND, new ByteBuffer[] {LongType.instance.decompose(count)}));
    }

    private static RangeTombstone deletion(ClusteringBound<?> start, ClusteringBound<?> end) {
        return new RangeTombstone(Slice.make(start, end), DeletionTime.build(DELETED, FBUtilities.nowInSeconds()));
    }

    /** Each chunk says how many there are: with one missing the whole does not count. */
    private List<Mutation> redo(Durable.Redo redo) {
        List<byte[]> chunks = chunks(redo.rows());
        TableMetadata table = keyspace.metadata("redo");
        List<Mutation> mutations = new ArrayList<>();
        for (int i = 0; i < chunks.size(); i++) {
            DataOut content = new DataOut(chunks.get(i).length + 64);
            StoreCodec.write(redo.checkpoint(), content);
            content.raw(chunks.get(i));
            Mutation.SimpleBuilder mutation = Mutation.simpleBuilder(keyspace.name(), key);
            mutation.update(table)
                    .row(redo.checkpoint().count(), life, i)
                    .timestamp(redo.checkpoint().count() + 1)
                    .add("chunks", chunks.size())
                    .add("content", ByteBuffer.wrap(content.toBytes()));
            mutations.add(mutation.build());
        }
        return mutations;
    }

    /** At least one, though there may be no rows. */
    private static List<byte[]> chunks(Map<RowKey, StoredRow> rows) {
        List<byte[]> chunks = new ArrayList<>();
        Map<RowKey, StoredRow> chunk = new TreeMap<>();
        int bytes = 0;
        for (Map.Entry<RowKey, StoredRow> row : new TreeMap<>(rows).entrySet()) {
            DataOut size = new DataOut();
            StoreCodec.write(row.getValue(), size);
            bytes += size.size() + 64;
            chunk.put(row.getKey(), row.getValue());
            if (bytes > REDO_CHUNK_BYTES) {
                chunks.add(encoded(chunk, bytes));
                chunk.clear();
                bytes = 0;
            }
        }
        if (!chunk.isEmpty() || chunks.isEmpty()) {
            chunks.add(encoded(chunk, bytes));
        }
        return chunks;
    }

    private static byte[] encoded(Map<RowKey, StoredRow> rows, int bytes) {
        DataOut out = new DataOut(bytes + 64);
        StoreCodec.write(rows, out);
        return out.toBytes();
    }
}
