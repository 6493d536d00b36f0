/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.meteorshower.transactions.language.ComputedRange;
import org.meteorshower.transactions.language.ComputedRow;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Expression.Arithmetic;
import org.meteorshower.transactions.language.Expression.Constant;
import org.meteorshower.transactions.language.Expression.Element;
import org.meteorshower.transactions.language.Expression.Variable;
import org.meteorshower.transactions.language.Kind;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.simulator.shelves.ComputedShelves;
import org.meteorshower.transactions.simulator.shelves.Shelves;

/**
 * Draws transactions with ranges of rows and computed keys, in partitions of one range or of several, mixed with rows
 * that are named. Partitions are of the ranges of their numbers.
 */
final class ShelfWork {
    /** Behind those of {@link Shelves}: two whose rows are all there, and stay. */
    private static final int DEEP = Shelves.PARTITIONS;

    private static final int PARTITIONS = DEEP + 2;

    private final ServersPlan plan;
    private final SplittableRandom random;
    private final Shelves shelves = new Shelves();
    private final ComputedShelves computed = new ComputedShelves();

    ShelfWork(ServersPlan plan, SplittableRandom random) {
        this.plan = plan;
        this.random = random;
    }

    /** What users had written before any transaction. */
    static Map<RowKey, Row> before() {
        Map<RowKey, Row> before = new TreeMap<>(Shelves.seeded());
        for (int partition = DEEP; partition < PARTITIONS; partition++) {
            for (int place = 0; place < Shelves.PLACES; place++) {
                before.put(Shelves.row(partition, place), Row.ABSENT.with(Shelves.COLUMN, Value.of(place)));
            }
        }
        return before;
    }

    /** By which a partition's rows are placed; those of a row that is of none of them do not matter. */
    static long token(RowKey row) {
        return Character.digit(row.key().charAt(1), 10);
    }

    /**
     * @param now by which values end
     * @param other a row of none of the partitions
     */
    Transaction transaction(long now, RowKey other) {
        return switch (random.nextInt(12)) {
            case 0, 1, 2, 3 -> shelves.draw(random).transaction();
            case 4, 5, 6, 7 -> computed.draw(random).transaction();
            case 8 -> texts();
            case 9 -> named(other);
            case 10 -> ending(now);
            default -> deep(random.nextInt(3) == 0 ? 14 + random.nextInt(5) : 2 + random.nextInt(5));
        };
    }

    private static Expression number(int value) {
        return new Constant(new Value.Typed(Kind.INT, Shelves.bytes(value)));
    }

    private Expression text() {
        return new Constant(Value.of("x".repeat(1 + random.nextInt(plan.bytes()))));
    }

    private RowKey row() {
        return Shelves.row(random.nextInt(Shelves.PARTITIONS), random.nextInt(Shelves.PLACES));
    }

    private static Statement find(String name, ComputedRange range) {
        return new Statement.Find(name, range, List.of(Shelves.COLUMN));
    }

    /** Rows that are named, of partitions that others have to themselves. */
    private Transaction texts() {
        RowKey a = row();
        RowKey b = row();
        return new Transaction(
                List.of(),
                List.of(
                        new Statement.Return(new Expression.Column(b, Shelves.COLUMN)),
                        new Statement.Put(a, "t", text()),
                        new Statement.Put(a, Shelves.COLUMN, new Expression.Column(b, Shelves.COLUMN))));
    }

    /** A range whose rows decide over rows that are named, there and elsewhere. */
    private Transaction named(RowKey other) {
        Expression rows = new Expression.Folded(Expression.Folded.Fold.ROWS, 0, new Variable("f"));
        List<Statement> body = new ArrayList<>();
        body.add(new Statement.Find("f", Shelves.range(random, 1 + random.nextInt(5)), List.of(Shelves.COLUMN)));
        body.add(new Statement.If(
                new Expression.Comparison(Expression.Comparison.Relation.GREATER, rows, number(random.nextInt(4))),
                List.of(new Statement.Put(row(), "t", text())),
                List.of(new Statement.Delete(row()))));
        body.add(new Statement.Return(new Expression.Column(other, "n")));
        body.add(new Statement.Put(random.nextBoolean() ? row() : other, "n", rows));
        return new Transaction(List.of(), body);
    }

    private Transaction ending(long now) {
        long until = now + (random.nextInt(4) == 0 ? -random.nextLong(300_000) : random.nextLong(600_000));
        Expression value = new Expression.Ending(new Constant(Value.of(random.nextInt(1_000))), until);
        int partition = random.nextInt(Shelves.PARTITIONS);
        Statement change = new Statement.Change(
                new ComputedRow(
                        Shelves.partition(partition),
                        Shelves.order(partition),
                        List.of(number(random.nextInt(Shelves.PLACES)))),
                List.of(new Statement.Change.Assignment("e", value)));
        return new Transaction(
                List.of(), List.of(random.nextBoolean() ? change : new Statement.Put(row(), "e", value)));
    }

    /** Each row is found by the key of the one before, in two partitions in turn; maybe more often than it may. */
    private Transaction deep(int looks) {
        int place = random.nextInt(Shelves.PLACES);
        List<Statement> body = new ArrayList<>();
        body.add(find("d0", at(DEEP, number(place))));
        int step = 1 + random.nextInt(Shelves.PLACES - 1);
        for (int look = 1; look < looks; look++) {
            String from = "d" + (look - 1);
            int partition = DEEP + (random.nextInt(4) == 0 ? 0 : look % 2);
            if (look < looks - 1 || random.nextBoolean()) {
                body.add(find("d" + look, at(partition, behind(from, step))));
            } else {
                body.add(new Statement.Change(
                        new ComputedRow(partition(partition), Shelves.order(DEEP), List.of(behind(from, step))),
                        List.of(new Statement.Change.Assignment(
                                Shelves.COLUMN,
                                new Arithmetic(
                                        Arithmetic.Operation.PLUS,
                                        new Expression.Own(Shelves.COLUMN),
                                        new Constant(Value.of(1)))))));
            }
        }
        body.add(new Statement.Return(new Variable("d" + (looks - 2))));
        return new Transaction(List.of(), body);
    }

    private static Partition partition(int number) {
        return Shelves.partition(number);
    }

    private static ComputedRange at(int partition, Expression place) {
        ComputedRange.Edge edge = new ComputedRange.Edge(List.of(place), true);
        return new ComputedRange(partition(partition), Shelves.order(DEEP), edge, edge, false, 1);
    }

    private static Expression behind(String of, int step) {
        Expression first = new Element(new Element(new Variable(of), number(0)), number(0));
        return new Arithmetic(
                Arithmetic.Operation.REMAINDER,
                new Arithmetic(Arithmetic.Operation.PLUS, first, number(step)),
                number(Shelves.PLACES));
    }
}
