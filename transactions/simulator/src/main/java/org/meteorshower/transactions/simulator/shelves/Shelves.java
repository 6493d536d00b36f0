/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator.shelves;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.meteorshower.transactions.language.Bytes;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Kind;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.RowOrder;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;

/**
 * Draws transactions on the rows of a few partitions: rows come and go, by name and by range, and ranges are read. What
 * each answers tells which rows there were.
 */
public final class Shelves {
    public static final String TABLE = "shelves";
    public static final String COLUMN = "v";
    public static final int PARTITIONS = 3;
    public static final int PLACES = 24;
    private static final int BYTES = 4;
    private static final RowOrder ASCENDING = new RowOrder(List.of(new RowOrder.Column(Kind.INT, BYTES, false)));
    private static final RowOrder DESCENDING = new RowOrder(List.of(new RowOrder.Column(Kind.INT, BYTES, true)));

    private long values;

    /** The rows that users had written before transactions began. */
    public static Map<RowKey, Row> seeded() {
        Map<RowKey, Row> rows = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            for (int place = 0; place < PLACES; place += 3) {
                rows.put(row(partition, place), Row.ABSENT.with(COLUMN, Value.of(-place)));
            }
        }
        return rows;
    }

    /** As Cassandra writes a clustering of one number: nothing is empty, then its bytes. */
    public static RowKey row(int partition, int place) {
        return new RowKey(
                TABLE, partition(partition).partition() + ".00" + HexFormat.of().toHexDigits(place));
    }

    public static Partition partition(int number) {
        return new Partition(TABLE, "a" + number);
    }

    /** Each partition is of a table of its own, so to say: the second one counts down. */
    public static RowOrder order(int partition) {
        return partition == 1 ? DESCENDING : ASCENDING;
    }

    public static Bytes bytes(int number) {
        return Bytes.copyOf(new byte[] {0, 0, 0, (byte) number});
    }

    /**
     * What is drawn.
     *
     * @param reads whether it was meant to read only
     */
    public record Drawn(boolean reads, Transaction transaction) {}

    public Drawn draw(SplittableRandom random) {
        List<Statement> body = new ArrayList<>();
        if (random.nextInt(4) == 0) {
            find(random, "read", body);
            return new Drawn(true, new Transaction(List.of(), body));
        }
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
            change(random, "s" + left, body);
        }
        return new Drawn(false, new Transaction(List.of(), body));
    }

    private void change(SplittableRandom random, String name, List<Statement> body) {
        RowKey row = row(random.nextInt(PARTITIONS), random.nextInt(PLACES));
        switch (random.nextInt(7)) {
            case 0, 1, 2 -> body.add(new Statement.Put(row, COLUMN, new Expression.Constant(Value.of(++values))));
            case 3 -> body.add(new Statement.Delete(row));
            case 4 -> {
                Range first = range(random, 1 + random.nextInt(3));
                body.add(new Statement.Find(name, first, List.of(COLUMN)));
                body.add(new Statement.DeleteRange(first));
                body.add(new Statement.Return(new Expression.Variable(name)));
            }
            case 5 -> body.add(new Statement.DeleteRange(range(random, random.nextInt(3))).many());
            default -> find(random, name, body);
        }
    }

    private static void find(SplittableRandom random, String name, List<Statement> body) {
        int limit = random.nextInt(3) == 0 ? Range.ALL : 1 + random.nextInt(4);
        body.add(new Statement.Find(name, range(random, limit), List.of(COLUMN)));
        body.add(new Statement.Return(new Expression.Variable(name)));
    }

    public static Range range(SplittableRandom random, int limit) {
        int partition = random.nextInt(PARTITIONS);
        boolean down = partition == 1;
        Range.Edge low = edge(random, 0);
        Range.Edge high = edge(random, PLACES / 2);
        return new Range(
                partition(partition),
                order(partition),
                down ? high : low,
                down ? low : high,
                random.nextBoolean(),
                limit);
    }

    private static Range.Edge edge(SplittableRandom random, int least) {
        if (random.nextInt(3) == 0) {
            return Range.Edge.OPEN;
        }
        Bytes bytes = bytes(least + random.nextInt(PLACES / 2));
        return new Range.Edge(List.of(new Value.Typed(Kind.INT, bytes)), random.nextBoolean());
    }
}
