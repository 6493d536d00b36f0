/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.codec.StoreCodec;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Recovery;

/** Reads what the last process left. To be asked after the fence was taken. Blocks; used by one thread. */
final class StoredState {
    private static final int PAGE = 200;

    private final LogKeyspace keyspace;
    private final int dcs;

    StoredState(LogKeyspace keyspace, int dcs) {
        this.keyspace = keyspace;
        this.dcs = dcs;
    }

    /**
     * Null where there is nothing: the data centre is to be founded, or has lost its disk.
     *
     * @throws IllegalStateException if what there is makes no sense
     */
    @Nullable
    Recovery read(long life) {
        Map<Integer, Durable.Generation> generations = generations();
        Durable.Generation own = generations.get(keyspace.dc());
        if (own == null) {
            return null;
        }
        try {
            List<Integer> known = new ArrayList<>();
            Map<Integer, Long> lives = new HashMap<>();
            for (int dc = 0; dc < dcs; dc++) {
                Durable.Generation generation = generations.get(dc);
                known.add(generation == null ? 1 : generation.generation());
                if (generation != null) {
                    lives.put(dc, generation.life());
                }
            }
            Checkpoint done = checkpoint("done");
            Checkpoint from = done == null ? Checkpoint.first(dcs) : done;
            return new Recovery(
                    life,
                    own.generation(),
                    known,
                    lives,
                    acceptors(),
                    from,
                    new StoredRedo(keyspace).newerThan(from.count()),
                    checkpoint("installing") != null);
        } catch (BadDataException e) {
            throw new IllegalStateException(
                    "the transactions' log in " + keyspace.name() + " is damaged: " + e.getMessage(), e);
        }
    }

    private Map<Integer, Durable.Generation> generations() {
        Map<Integer, Durable.Generation> generations = new HashMap<>();
        for (UntypedResultSet.Row row : rows("SELECT dc, generation, life FROM ", "generations", "")) {
            int dc = row.getInt("dc");
            generations.put(dc, new Durable.Generation(dc, row.getInt("generation"), row.getLong("life")));
        }
        return generations;
    }

    private @Nullable Checkpoint checkpoint(String kind) throws BadDataException {
        UntypedResultSet rows = QueryProcessor.execute(
                "SELECT content FROM " + keyspace.table("checkpoints") + " WHERE part = " + LogKeyspace.PARTITION
                        + " AND kind = ?",
                ConsistencyLevel.LOCAL_QUORUM,
                kind);
        return rows.isEmpty() || !rows.one().has("content")
                ? null
                : StoreCodec.checkpoint(ByteBufferUtil.getArray(rows.one().getBlob("content")));
    }

    private List<AcceptorState> acceptors() throws BadDataException {
        Map<Integer, Long> promises = byLane("promises", "ballot");
        Map<Integer, Long> floors = byLane("floors", "floor");
        List<AcceptorState> acceptors = new ArrayList<>();
        for (int lane = 0; lane < dcs; lane++) {
            long floor = floors.getOrDefault(lane, 0L);
            acceptors.add(new AcceptorState(promises.getOrDefault(lane, 0L), floor, accepted(lane, floor)));
        }
        return acceptors;
    }

    private Map<Integer, Long> byLane(String table, String column) {
        Map<Integer, Long> values = new HashMap<>();
        for (UntypedResultSet.Row row : rows("SELECT lane, " + column + " FROM ", table, "")) {
            values.put(row.getInt("lane"), row.getLong(column));
        }
        return values;
    }

    /** From the floor on: what is below may have come back from a replica that was down, and means nothing. */
    private List<AcceptedEntry> accepted(int lane, long floor) throws BadDataException {
        List<AcceptedEntry> accepted = new ArrayList<>();
        long from = floor;
        while (true) {
            UntypedResultSet page = rows(
                    "SELECT position, ballot, entry FROM ",
                    "accepts",
                    " AND lane = " + lane + " AND position >= " + from + " LIMIT " + PAGE);
            for (UntypedResultSet.Row row : page) {
                long position = row.getLong("position");
                accepted.add(new AcceptedEntry(
                        position,
                        row.getLong("ballot"),
                        LogCodec.entry(ByteBufferUtil.getArray(row.getBlob("entry")))));
                from = position + 1;
            }
            if (page.size() < PAGE) {
                return accepted;
            }
        }
    }

    private UntypedResultSet rows(String select, String table, String where) {
        return QueryProcessor.process(
                select + keyspace.table(table) + " WHERE part = " + LogKeyspace.PARTITION + where,
                ConsistencyLevel.LOCAL_QUORUM);
    }
}
