/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.StoreCodec;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Recovery;

/** Reads what the last process left. To be asked after the fence was taken. Blocks; used by one thread. */
final class StoredState {
    private static final int PAGE_BYTES = 1 << 20;

    private final LogKeyspace keyspace;
    private final int dcs;

    StoredState(LogKeyspace keyspace, int dcs) {
        this.keyspace = keyspace;
        this.dcs = dcs;
    }

    /**
     * @param extent of the log, as the last process knew it, for the next one to go on with
     * @param trimmed by lane, up to where the log was deleted
     */
    record Found(Recovery recovery, LogExtent extent, List<Long> trimmed) {}

    /**
     * Null where there is nothing: the data centre is to be founded, or has lost its disk.
     *
     * @throws IllegalStateException if what there is makes no sense
     */
    @Nullable
    Found read(long life) {
        Map<Integer, Durable.Generation> generations = generations();
        Durable.Generation own = generations.get(keyspace.dc());
        if (own == null) {
            return null;
        }
        try {
            Durable.Done done = done();
            Durable.Installing installing = installing();
            List<StoredLane> lanes = lanes(done == null ? Checkpoint.first(dcs) : done.checkpoint());
            Recovery recovery = new Recovery(
                    life,
                    own.generation(),
                    numbers(generations),
                    lives(generations),
                    lanes.stream().map(StoredLane::acceptor).toList(),
                    lanes.stream().map(StoredLane::learned).toList(),
                    lanes.stream().map(StoredLane::settled).toList(),
                    done == null ? Checkpoint.first(dcs) : done.checkpoint(),
                    done == null ? 0 : done.edition(),
                    newest(done, installing),
                    done != null && installing != null && installing.edition() <= done.edition() ? null : installing,
                    lanes.stream().mapToLong(StoredLane::logBytes).sum());
            return new Found(
                    recovery,
                    extent(lanes),
                    lanes.stream().map(StoredLane::trimmed).toList());
        } catch (BadDataException e) {
            throw damaged(e);
        }
    }

    /**
     * The newest edition of the rows that was ever begun; 0 where none was.
     *
     * @throws IllegalStateException if what there is makes no sense
     */
    int newestEdition() {
        try {
            return newest(done(), installing());
        } catch (BadDataException e) {
            throw damaged(e);
        }
    }

    private static int newest(Durable.@Nullable Done done, Durable.@Nullable Installing installing) {
        return Math.max(done == null ? 0 : done.edition(), installing == null ? 0 : installing.edition());
    }

    private IllegalStateException damaged(BadDataException e) {
        return new IllegalStateException(
                "the transactions' log in " + keyspace.name() + " is damaged: " + e.getMessage(), e);
    }

    private List<Integer> numbers(Map<Integer, Durable.Generation> generations) {
        List<Integer> known = new ArrayList<>();
        for (int dc = 0; dc < dcs; dc++) {
            Durable.Generation generation = generations.get(dc);
            known.add(generation == null ? 1 : generation.generation());
        }
        return known;
    }

    private static Map<Integer, Long> lives(Map<Integer, Durable.Generation> generations) {
        Map<Integer, Long> lives = new HashMap<>();
        generations.forEach((dc, generation) -> {
            if (generation.life() != Durable.Generation.HEARD_OF) {
                lives.put(dc, generation.life());
            }
        });
        return lives;
    }

    private Map<Integer, Durable.Generation> generations() {
        Map<Integer, Durable.Generation> generations = new HashMap<>();
        for (UntypedResultSet.Row row : rows("SELECT dc, generation, life FROM ", "generations", "")) {
            int dc = row.getInt("dc");
            generations.put(dc, new Durable.Generation(dc, row.getInt("generation"), row.getLong("life")));
        }
        return generations;
    }

    private Durable.@Nullable Done done() throws BadDataException {
        byte[] content = checkpoint(DurableMutations.WHOLE);
        return content == null ? null : StoreCodec.done(content);
    }

    private Durable.@Nullable Installing installing() throws BadDataException {
        byte[] content = checkpoint(DurableMutations.FILLING);
        return content == null ? null : StoreCodec.installing(content);
    }

    private byte @Nullable [] checkpoint(String kind) {
        UntypedResultSet rows = rows("SELECT content FROM ", "checkpoints", " AND kind = ?", kind);
        return rows.isEmpty() || !rows.one().has("content")
                ? null
                : ByteBufferUtil.getArray(rows.one().getBlob("content"));
    }

    private List<StoredLane> lanes(Checkpoint done) {
        Map<Integer, UntypedResultSet.Row> promises = byLane("lane, ballot", "promises");
        Map<Integer, UntypedResultSet.Row> limits = byLane("lane, floor, barred, trimmed", LogKeyspace.LIMITS);
        Map<Integer, UntypedResultSet.Row> settled = byLane("lane, below, bytes, ballot", LogKeyspace.SETTLED);
        LogReader reader = new LogReader(keyspace);
        List<StoredLane> lanes = new ArrayList<>();
        for (int lane = 0; lane < dcs; lane++) {
            UntypedResultSet.Row promise = promises.get(lane);
            UntypedResultSet.Row limit = limits.get(lane);
            UntypedResultSet.Row noted = settled.get(lane);
            long floor = number(limit, "floor");
            long below = Math.max(done.positions().get(lane), number(noted, "below"));
            Map<Long, Long> buckets = buckets(lane);
            List<AcceptedEntry> accepted = new ArrayList<>();
            List<AcceptedEntry> learned = new ArrayList<>();
            long bytes = entries(reader, lane, Math.max(floor, below), buckets, accepted, learned);
            long total = number(noted, "bytes") + bytes;
            lanes.add(new StoredLane(
                    new AcceptorState(
                            Math.max(number(promise, "ballot"), number(noted, "ballot")),
                            Math.max(floor, number(limit, "barred")),
                            accepted),
                    learned,
                    below,
                    number(limit, "trimmed"),
                    total,
                    Math.max(0, total - StoredLane.before(LogPlaces.bucket(floor), buckets))));
        }
        return lanes;
    }

    private long entries(
            LogReader reader,
            int lane,
            long from,
            Map<Long, Long> buckets,
            List<AcceptedEntry> accepted,
            List<AcceptedEntry> learned) {
        long bytes = 0;
        for (long bucket : buckets.keySet()) {
            long next = Math.max(from, bucket * LogPlaces.BUCKET);
            while (next < LogPlaces.end(bucket)) {
                LogReader.Page page = reader.page(bucket, lane, next, Long.MAX_VALUE, PAGE_BYTES);
                for (LogReader.Place place : page.places()) {
                    (place.isLearned() ? learned : accepted).add(place.entry());
                }
                next = page.next();
                bytes += page.bytes();
            }
        }
        return bytes;
    }

    /** How many bytes the lane had taken before each bucket, by bucket, in their order. */
    private Map<Long, Long> buckets(int lane) {
        Map<Long, Long> buckets = new TreeMap<>();
        for (UntypedResultSet.Row row :
                rows("SELECT bucket, bytes FROM ", LogKeyspace.BUCKETS, " AND lane = ?", lane)) {
            buckets.put(row.getLong("bucket"), row.getLong("bytes"));
        }
        return buckets;
    }

    private static LogExtent extent(List<StoredLane> lanes) {
        LogExtent extent = new LogExtent(lanes.size());
        for (int lane = 0; lane < lanes.size(); lane++) {
            extent.restore(
                    lane, lanes.get(lane).total(), lanes.get(lane).acceptor().promised());
        }
        return extent;
    }

    private static long number(UntypedResultSet.@Nullable Row row, String column) {
        return row == null || !row.has(column) ? 0 : row.getLong(column);
    }

    private Map<Integer, UntypedResultSet.Row> byLane(String columns, String table) {
        Map<Integer, UntypedResultSet.Row> values = new HashMap<>();
        for (UntypedResultSet.Row row : rows("SELECT " + columns + " FROM ", table, "")) {
            values.put(row.getInt("lane"), row);
        }
        return values;
    }

    private UntypedResultSet rows(String select, String table, String where, Object... values) {
        return keyspace.read(
                keyspace.key(table, LogKeyspace.PARTITION),
                select + keyspace.table(table) + " WHERE part = " + LogKeyspace.PARTITION + where,
                values);
    }
}
