/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.apache.cassandra.utils.NoSpamLogger;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.DataIn;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.codec.StoreCodec;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings over what the layout before {@link StoredFormat#LAYOUT} has stored: rows in one version, what was about to be
 * written to them, and the log in one partition. May be cut short and begun again; until the new layout is noted the
 * other one is what counts. Blocks; used by one thread, which has the fence.
 */
final class EarlierLayout {
    private static final Logger log = LoggerFactory.getLogger(EarlierLayout.class);
    private static final int PAGE = 64;

    /** Writes what is brought over, and returns when a quorum has it. */
    interface Target {
        void records(List<Durable> records);

        void rows(List<RowWrite> rows);
    }

    private final LogKeyspace keyspace;
    private final int dcs;
    private final Target target;
    private long brought;

    EarlierLayout(LogKeyspace keyspace, int dcs, Target target) {
        this.keyspace = keyspace;
        this.dcs = dcs;
        this.target = target;
    }

    /** @throws IllegalStateException if what there is makes no sense */
    void bringOver() {
        log.info("MeteorShower transactions: brings over what the earlier plugin has stored in {}", keyspace.name());
        try {
            Checkpoint written = checkpoint("done");
            Checkpoint done = written == null ? Checkpoint.first(dcs) : written;
            if (checkpoint("installing") == null) {
                Checkpoint redone = redo(done.count());
                done = redone == null ? done : redone;
                rows();
                target.records(List.of(new Durable.Done(done, Recovery.FIRST_EDITION)));
            }
            for (int lane = 0; lane < dcs; lane++) {
                entries(lane, done.positions().get(lane));
            }
            log.info("MeteorShower transactions: brought over {} rows, as of checkpoint {}", brought, done.count());
        } catch (BadDataException e) {
            throw new IllegalStateException(keyspace.name() + " is damaged: " + e.getMessage(), e);
        }
    }

    private @Nullable Checkpoint checkpoint(String kind) throws BadDataException {
        UntypedResultSet rows = read("content", "checkpoints", " AND kind = '" + kind + "'");
        return rows.isEmpty() || !rows.one().has("content")
                ? null
                : StoreCodec.checkpoint(ByteBufferUtil.getArray(rows.one().getBlob("content")));
    }

    /**
     * What was about to be written: the newest of which all chunks are there. Null where none is newer than the
     * checkpoint.
     */
    private @Nullable Checkpoint redo(long count) throws BadDataException {
        UntypedResultSet.Row newest = null;
        int present = 0;
        UntypedResultSet.Row last = null;
        for (UntypedResultSet.Row row : read("count, life, chunk, chunks", "redo", " AND count > " + count)) {
            boolean same = last != null
                    && last.getLong("count") == row.getLong("count")
                    && last.getLong("life") == row.getLong("life");
            present = same ? present + 1 : 1;
            last = row;
            newest = present == row.getInt("chunks") ? row : newest;
        }
        Checkpoint checkpoint = null;
        for (int chunk = 0; newest != null && chunk < newest.getInt("chunks"); chunk++) {
            String of = " AND count = " + newest.getLong("count") + " AND life = " + newest.getLong("life");
            UntypedResultSet.Row row =
                    read("content", "redo", of + " AND chunk = " + chunk).one();
            DataIn in = new DataIn(ByteBufferUtil.getArray(row.getBlob("content")));
            checkpoint = StoreCodec.readCheckpoint(in);
            List<RowWrite> rows = new ArrayList<>();
            StoreCodec.readRows(in).forEach((key, each) -> rows.add(write(key, each)));
            write(rows);
        }
        return checkpoint;
    }

    private void rows() {
        long[] place = {Long.MIN_VALUE};
        List<RowWrite> page;
        do {
            page = page(place[0], token -> place[0] = token);
            write(page);
        } while (!page.isEmpty());
    }

    private List<RowWrite> page(long after, LongConsumer next) {
        List<RowWrite> rows = new ArrayList<>();
        for (UntypedResultSet.Row row : QueryProcessor.execute(
                "SELECT tbl, key, version, content, token(tbl, key) AS place FROM " + keyspace.table("rows")
                        + " WHERE token(tbl, key) > ? LIMIT " + PAGE,
                ConsistencyLevel.LOCAL_QUORUM,
                after)) {
            rows.add(write(new RowKey(row.getString("tbl"), row.getString("key")), RowVersions.row(row)));
            next.accept(row.getLong("place"));
        }
        return rows;
    }

    private static RowWrite write(RowKey key, StoredRow row) {
        return new RowWrite(key, row, 0, null, 0);
    }

    private void write(List<RowWrite> rows) {
        target.rows(rows);
        brought += rows.size();
        NoSpamLogger.log(
                log,
                NoSpamLogger.Level.INFO,
                10,
                TimeUnit.SECONDS,
                "MeteorShower transactions: brought over {} rows so far",
                brought);
    }

    /** What is below the checkpoint is not known to be what was decided: nobody is to read it. */
    private void entries(int lane, long done) throws BadDataException {
        long floor = done;
        for (UntypedResultSet.Row row : read("floor", "floors", " AND lane = " + lane)) {
            floor = Math.max(floor, row.getLong("floor"));
        }
        if (floor > 0) {
            target.records(List.of(new Durable.Truncate(lane, floor)));
        }
        List<Durable> page;
        long from = floor;
        do {
            page = new ArrayList<>();
            for (UntypedResultSet.Row row : read(
                    "position, ballot, entry",
                    "accepts",
                    " AND lane = " + lane + " AND position >= " + from + " LIMIT " + PAGE)) {
                long position = row.getLong("position");
                page.add(new Durable.Accept(
                        lane,
                        position,
                        row.getLong("ballot"),
                        LogCodec.entry(ByteBufferUtil.getArray(row.getBlob("entry")))));
                from = position + 1;
            }
            target.records(page);
        } while (page.size() == PAGE);
    }

    private UntypedResultSet read(String columns, String table, String where) {
        return QueryProcessor.process(
                "SELECT " + columns + " FROM " + keyspace.table(table) + " WHERE part = " + LogKeyspace.PARTITION
                        + where,
                ConsistencyLevel.LOCAL_QUORUM);
    }
}
