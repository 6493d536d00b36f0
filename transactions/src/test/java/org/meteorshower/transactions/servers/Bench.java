/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.meteorshower.transactions.fronts.Bodies;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.RowOrder;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;

/** A range's server, its tables, and what it has sent. Rows a0, b0, ... are of range 0, a1, b1, ... of range 1. */
final class Bench {
    static final RowKey A0 = new RowKey("t", "a0");
    static final RowKey B0 = new RowKey("t", "b0");
    static final RowKey A1 = new RowKey("t", "a1");
    static final RowKey B1 = new RowKey("t", "b1");

    /** By the last digit of the name, or of the partition's. */
    static Division division(int ranges) {
        return new Division() {
            @Override
            public int ranges() {
                return ranges;
            }

            @Override
            public long tokenOf(RowKey row) {
                String partition = RowOrder.partition(row);
                String name = partition == null ? row.key() : partition;
                return name.isEmpty() ? 0 : name.charAt(name.length() - 1);
            }

            @Override
            public int rangeOf(long token) {
                return Math.floorMod(token, ranges);
            }
        };
    }

    final RangeServer server;
    final int range;
    final List<ChainMessage> sent = new ArrayList<>();
    final Map<RowKey, TreeMap<Long, StoredRow>> tables = new TreeMap<>();
    final List<List<RowWrite>> written = new ArrayList<>();

    /** K, as whoever reads rows finds it afterwards. */
    long noted;

    /** Whether tables answer at once. */
    boolean writesAtOnce = true;

    /** However many are asked for. */
    int keysInAPage = 2;

    private final List<ServerEffect.Write> writes = new ArrayList<>();

    Bench(int range) {
        this(range, 1 << 20);
    }

    Bench(int range, long budget) {
        this.range = range;
        this.server = new RangeServer(range, new Life(0, 0, 0), division(2), budget, 1_000);
    }

    static Request.Once once(Statement... body) {
        return new Request.Once(new Transaction(List.of(), List.of(body)));
    }

    static Expression value(RowKey row) {
        return new Expression.Choice(
                new Expression.IsNothing(new Expression.Column(row, "v")),
                new Expression.Constant(Value.of(0)),
                new Expression.Column(row, "v"));
    }

    /** To := from + 1. */
    static Statement copy(RowKey from, RowKey to) {
        return new Statement.Put(
                to,
                "v",
                new Expression.Arithmetic(
                        Expression.Arithmetic.Operation.PLUS, value(from), new Expression.Constant(Value.of(1))));
    }

    static Row row(long value) {
        return Row.ABSENT.with("v", Value.of(value));
    }

    static Slice slice(long count, Request... requests) {
        List<Slice.Piece> pieces = new ArrayList<>();
        for (Request request : requests) {
            pieces.add(new Slice.Piece(pieces.size(), new Bodies(division(2)).of(request)));
        }
        return new Slice(count, 0, count, pieces);
    }

    /** Slices of these counts, with K and a cut. */
    void hears(long from, long below, long done, long cut, Slice... slices) {
        hears(new ChainMessage.Slices(1, range, from, below, List.of(slices), done, cut, done, List.of(0L, 0L)));
    }

    void hears(long from, long below, Slice... slices) {
        hears(from, below, 0, 0, slices);
    }

    void hears(ChainMessage message) {
        server.received(message);
        effects();
    }

    void hearsForward(long count, int from, Map<RowKey, Row> held) {
        hears(new ChainMessage.Forward(Version.of(count, 0), from, range, held));
    }

    void hearsBackward(long count, int from, Map<RowKey, Row> writes) {
        hears(new ChainMessage.Backward(Version.of(count, 0), from, range, 0, writes));
    }

    void tick() {
        server.tick();
        effects();
    }

    /** What was begun to be written is there now. */
    void writeAll() {
        List<ServerEffect.Write> waiting = new ArrayList<>(writes);
        writes.clear();
        for (ServerEffect.Write write : waiting) {
            write.rows().forEach(row -> tables.computeIfAbsent(row.key(), key -> new TreeMap<>())
                    .put(row.row().version(), row.row()));
            written.add(write.rows());
            server.rowsWritten(write.request());
            effects();
        }
    }

    private void effects() {
        Doing doing = new Doing();
        for (ServerEffect effect : server.takeEffects()) {
            effect.handOver(doing);
        }
        if (writesAtOnce && !writes.isEmpty()) {
            writeAll();
        }
    }

    /** Those of a kind that were sent since the last time, and forgets all others. */
    <T extends ChainMessage> List<T> take(Class<T> kind) {
        List<T> taken = sent.stream().filter(kind::isInstance).map(kind::cast).toList();
        sent.clear();
        return taken;
    }

    private final class Doing implements ServerEffect.Handler {
        @Override
        public void on(ServerEffect.Send send) {
            sent.add(send.message());
        }

        @Override
        public void on(ServerEffect.Read read) {
            Map<RowKey, StoredRow> found = new TreeMap<>();
            for (RowKey row : read.rows()) {
                Map.Entry<Long, StoredRow> newest =
                        tables.getOrDefault(row, new TreeMap<>()).lowerEntry(read.below());
                found.put(row, newest == null ? StoredRow.NEVER_WRITTEN : newest.getValue());
            }
            server.rowsRead(read.request(), found, noted);
            effects();
        }

        @Override
        public void on(ServerEffect.ReadKeys read) {
            TreeSet<RowKey> keys = new TreeSet<>(read.range().inOrder());
            tables.keySet().stream().filter(read.range()::contains).forEach(keys::add);
            SortedSet<RowKey> behind = read.after() == null ? keys : keys.tailSet(read.after(), false);
            List<RowKey> page = behind.stream().limit(keysInAPage).toList();
            server.keysRead(read.request(), page, behind.size() > page.size(), noted);
            effects();
        }

        @Override
        public void on(ServerEffect.Write write) {
            writes.add(write);
        }
    }
}
