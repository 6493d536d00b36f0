/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.db.DecoratedKey;
import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.rows.Row;
import org.apache.cassandra.schema.TableMetadata;
import org.meteorshower.transactions.codec.DataOut;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.codec.StoreCodec;
import org.meteorshower.transactions.log.Ballot;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.Durable;

/**
 * A batch of records as Cassandra's mutations: one for each bucket of the log's entries, in general one, and one for
 * all else. Each record's write timestamp is what it is ordered by, so that one that comes late changes nothing. Used
 * by one thread, for one batch.
 */
final class DurableMutations {
    /** What was learned is ordered above every ballot, and below {@link Deletions#TIMESTAMP}. */
    static final long LEARNED = Long.MAX_VALUE / 4;

    /** Of the ballot that stands beside what was learned where nothing was accepted: below every ballot. */
    private static final long UNVOTED = 1;

    /** The rows' tables are whole as of a checkpoint. */
    static final String WHOLE = "whole";

    /** An edition of the rows is being filled. */
    static final String FILLING = "filling";

    /**
     * A mutation larger than half of a commit log segment is refused by Cassandra: stay well below the smallest in use.
     */
    private static final int MOST_BYTES = 512 << 10;

    /** Of the order of editions and counts: above every count, below half of all editions. */
    private static final int COUNT_BITS = 42;

    private static final long NEWEST_COUNT = (1L << COUNT_BITS) - 1;

    private final LogKeyspace keyspace;
    private final LogExtent extent;
    private final DecoratedKey part;
    private final List<Mutation> mutations = new ArrayList<>();
    private final Map<Long, Bundle> entries = new TreeMap<>();
    private final Mutation.SimpleBuilder statements;
    private boolean stated;

    /** The entries of a bucket. */
    private static final class Bundle {
        final Mutation.SimpleBuilder mutation;
        int bytes;

        Bundle(Mutation.SimpleBuilder mutation) {
            this.mutation = mutation;
        }
    }

    private DurableMutations(LogKeyspace keyspace, LogExtent extent) {
        this.keyspace = keyspace;
        this.extent = extent;
        this.part = keyspace.key("promises", LogKeyspace.PARTITION);
        this.statements = Mutation.simpleBuilder(keyspace.name(), part);
    }

    /** They may be written in any order. To be told to {@link LogExtent#written} when they are. */
    static List<Mutation> of(List<Durable> records, LogKeyspace keyspace, LogExtent extent) {
        DurableMutations batch = new DurableMutations(keyspace, extent);
        Durable.Handler writer = batch.new Records();
        records.forEach(record -> record.handOver(writer));
        return batch.built();
    }

    private List<Mutation> built() {
        for (Bundle bundle : entries.values()) {
            mutations.add(bundle.mutation.build());
        }
        if (stated) {
            mutations.add(statements.build());
        }
        return mutations;
    }

    /** What each kind of record writes. */
    private final class Records implements Durable.Handler {
        @Override
        public void on(Durable.Accept accept) {
            add(accept.lane(), accept.position(), accept.entry(), accept.ballot(), accept.ballot(), accept.ballot());
        }

        @Override
        public void on(Durable.Learned learned) {
            add(learned.lane(), learned.position(), learned.entry(), Ballot.NONE, UNVOTED, LEARNED);
        }

        @Override
        public void on(Durable.Promise promise) {
            row("promises", promise.ballot(), promise.lane()).add("ballot", promise.ballot());
        }

        @Override
        public void on(Durable.Settled settled) {
            row(LogKeyspace.SETTLED, settled.below(), settled.lane())
                    .add("below", settled.below())
                    .add("bytes", extent.total(settled.lane()))
                    .add("ballot", extent.ballot(settled.lane()));
        }

        @Override
        public void on(Durable.Truncate truncate) {
            row(LogKeyspace.LIMITS, truncate.floor(), truncate.lane()).add("floor", truncate.floor());
        }

        @Override
        public void on(Durable.Barred barred) {
            row(LogKeyspace.LIMITS, barred.below(), barred.lane()).add("barred", barred.below());
        }

        @Override
        public void on(Durable.Generation generation) {
            row("generations", generation.generation(), generation.dc())
                    .add("generation", generation.generation())
                    .add("life", generation.life());
        }

        @Override
        public void on(Durable.Installing installing) {
            row("checkpoints", order(installing.edition(), installing.said()), FILLING)
                    .add("content", ByteBuffer.wrap(StoreCodec.bytes(installing)));
        }

        @Override
        public void on(Durable.Done done) {
            row("checkpoints", order(done.edition(), done.checkpoint().count()), WHOLE)
                    .add("content", ByteBuffer.wrap(StoreCodec.bytes(done)));
            statements
                    .update(keyspace.metadata("checkpoints"))
                    .addRangeTombstone(Deletions.row(FILLING, order(done.edition(), NEWEST_COUNT)));
        }
    }

    /** By edition, then by count. */
    private static long order(int edition, long count) {
        return ((long) edition << COUNT_BITS) + Math.min(count + 1, NEWEST_COUNT);
    }

    private Row.SimpleBuilder row(String table, long timestamp, Object... clustering) {
        stated = true;
        return statements.update(keyspace.metadata(table)).row(clustering).timestamp(timestamp);
    }

    /**
     * Ballot and entry are ordered apart: what was learned stays whatever is accepted later, and the highest ballot
     * under which something was accepted stays whatever is learned later.
     */
    private void add(int lane, long position, Entry entry, long ballot, long ballotTimestamp, long timestamp) {
        long number = LogPlaces.bucket(position);
        TableMetadata table = keyspace.metadata(LogKeyspace.ENTRIES);
        Bundle bundle = entries.computeIfAbsent(number, n -> new Bundle(builder(n)));
        DataOut content = new DataOut(entry.weight());
        LogCodec.write(entry, content);
        bundle.mutation
                .update(table)
                .row(lane, position)
                .timestamp(ballotTimestamp)
                .add("ballot", ballot)
                .timestamp(timestamp)
                .add("size", content.size())
                .add("entry", ByteBuffer.wrap(content.toBytes()));
        if (!extent.knows(lane, number)) {
            row(LogKeyspace.BUCKETS, 1, lane, number).add("bytes", extent.total(lane));
        }
        extent.takes(lane, content.size(), ballot);
        bundle.bytes += 64 + content.size();
        if (bundle.bytes > MOST_BYTES) {
            mutations.add(bundle.mutation.build());
            entries.remove(number);
        }
    }

    private Mutation.SimpleBuilder builder(long bucket) {
        return Mutation.simpleBuilder(keyspace.name(), keyspace.key(LogKeyspace.ENTRIES, bucket));
    }
}
