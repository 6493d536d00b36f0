/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator.shelves;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.meteorshower.transactions.language.ComputedRange;
import org.meteorshower.transactions.language.ComputedRow;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Kind;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;

/**
 * Draws transactions on {@link Shelves} whose keys and bounds follow from rows that they find, some of those by keys
 * that were computed themselves. Used by one client after the other.
 */
public final class ComputedShelves {
    private static final String COLUMN = Shelves.COLUMN;

    private long values;

    public Shelves.Drawn draw(SplittableRandom random) {
        List<Statement> body = new ArrayList<>();
        String name = "f";
        body.add(new Statement.Find(name, Shelves.range(random, 1 + random.nextInt(2)), List.of(COLUMN)));
        boolean reads = random.nextInt(4) == 0;
        for (int left = 1 + random.nextInt(3); left > 0; left--) {
            String next = "n" + left;
            body.add(new Statement.Find(next, found(random, name), List.of(COLUMN)));
            body.add(new Statement.Return(new Expression.Variable(next)));
            if (!reads) {
                change(random, random.nextBoolean() ? name : next, body);
            }
            name = random.nextBoolean() ? name : next;
        }
        body.add(new Statement.Return(folded(random, name)));
        return new Shelves.Drawn(reads, new Transaction(List.of(), body));
    }

    private void change(SplittableRandom random, String by, List<Statement> body) {
        switch (random.nextInt(6)) {
            case 0 -> body.add(new Statement.DeleteRange(found(random, by)));
            case 1 -> body.add(put(random, by)); // fails where nothing was found
            case 2 -> body.add(whereFound(by, new Statement.DeleteRange(found(random, by))));
            default -> body.add(whereFound(by, put(random, by)));
        }
    }

    private static Statement whereFound(String by, Statement then) {
        return new Statement.If(
                new Expression.Not(new Expression.IsNothing(new Expression.Variable(by))), List.of(then), List.of());
    }

    /** Sets the row's value, or raises it. */
    private Statement put(SplittableRandom random, String by) {
        int partition = random.nextInt(Shelves.PARTITIONS);
        Expression one = new Expression.Constant(Value.of(++values));
        Expression raised = new Expression.Choice(
                new Expression.IsNothing(new Expression.Own(COLUMN)),
                one,
                new Expression.Arithmetic(Expression.Arithmetic.Operation.PLUS, new Expression.Own(COLUMN), one));
        return new Statement.Change(
                new ComputedRow(Shelves.partition(partition), Shelves.order(partition), List.of(place(random, by))),
                List.of(new Statement.Change.Assignment(COLUMN, random.nextBoolean() ? one : raised)));
    }

    /** A row, or those from it on, or up to it. */
    private static ComputedRange found(SplittableRandom random, String by) {
        int partition = random.nextInt(Shelves.PARTITIONS);
        ComputedRange.Edge at = new ComputedRange.Edge(List.of(place(random, by)), true);
        ComputedRange.Edge beside = new ComputedRange.Edge(at.values(), random.nextBoolean());
        int which = random.nextInt(4);
        return new ComputedRange(
                Shelves.partition(partition),
                Shelves.order(partition),
                which == 0 ? ComputedRange.Edge.OPEN : which == 1 ? beside : at,
                which == 0 ? beside : which == 1 ? ComputedRange.Edge.OPEN : at,
                random.nextBoolean(),
                random.nextInt(4) == 0 ? Range.ALL : 1 + random.nextInt(3));
    }

    /** So far behind the first row that was found, and begun anew at the end. */
    private static Expression place(SplittableRandom random, String of) {
        Expression first =
                new Expression.Element(new Expression.Element(new Expression.Variable(of), number(0)), number(0));
        return new Expression.Arithmetic(
                Expression.Arithmetic.Operation.REMAINDER,
                new Expression.Arithmetic(
                        Expression.Arithmetic.Operation.PLUS, first, number(random.nextInt(Shelves.PLACES))),
                number(Shelves.PLACES));
    }

    private static Expression folded(SplittableRandom random, String of) {
        Expression.Folded.Fold[] ways = Expression.Folded.Fold.values();
        return new Expression.Folded(ways[random.nextInt(ways.length)], 0, new Expression.Variable(of));
    }

    private static Expression number(int value) {
        return new Expression.Constant(new Value.Typed(Kind.INT, Shelves.bytes(value)));
    }
}
