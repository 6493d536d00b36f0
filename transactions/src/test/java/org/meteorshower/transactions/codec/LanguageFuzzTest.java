/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;
import org.meteorshower.transactions.language.Bytes;
import org.meteorshower.transactions.language.Claim;
import org.meteorshower.transactions.language.ComputedRange;
import org.meteorshower.transactions.language.ComputedRow;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Kind;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.Program;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.RowOrder;
import org.meteorshower.transactions.language.Span;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;

/**
 * Transactions and rows are read as they were written or refused; and what was read runs or fails, but never breaks.
 */
class LanguageFuzzTest {
    /** Those that there were before ranges: what is drawn stays as it was. */
    private static final Kind[] KINDS = java.util.Arrays.copyOf(Kind.values(), Kind.OTHER.code());

    private static class Transactions implements Target {
        Transaction drawn(SplittableRandom random) {
            return transaction(random);
        }

        @Override
        public Sample sample(SplittableRandom random) {
            Transaction transaction = drawn(random);
            DataOut out = new DataOut(64);
            LanguageCodec.write(transaction, out);
            return new Sample(out.toBytes(), transaction);
        }

        @Override
        public Object decode(byte[] input) throws BadDataException {
            DataIn in = new DataIn(input);
            Transaction transaction = LanguageCodec.readTransaction(in);
            in.end();
            return transaction;
        }

        @Override
        public Object view(Object decoded) {
            Transaction transaction = (Transaction) decoded;
            TreeMap<RowKey, Row> held = new TreeMap<>();
            for (RowKey key : transaction.rows()) {
                held.put(key, Row.ABSENT);
            }
            for (Claim claim : transaction.claims()) {
                for (String row : List.of("", "s", "0000000001", "00000000020000000300000004", "0104", "00ff")) {
                    held.put(
                            new RowKey(
                                    claim.partition().table(), claim.partition().partition() + "." + row),
                            Row.ABSENT.with("a", Value.TRUE));
                }
            }
            Program.run(transaction, held);
            DataOut out = new DataOut(64);
            LanguageCodec.write(transaction, out);
            return transaction;
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof BadDataException;
        }
    }

    /** As above, with ranges, and what is computed, among the statements. */
    private static final class Ranges extends Transactions {
        @Override
        Transaction drawn(SplittableRandom random) {
            List<Statement> body = new ArrayList<>(transaction(random).body());
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                Span range = random.nextBoolean() ? range(random) : computed(random);
                if (random.nextInt(3) == 0) {
                    body.add(change(random));
                }
                if (random.nextInt(3) == 0) {
                    body.add(new Statement.Put(
                            key(random), "c", new Expression.Ending(expression(random, 2), random.nextLong(1L << 44))));
                }
                body.add(
                        random.nextBoolean()
                                ? random.nextBoolean()
                                        ? new Statement.DeleteRange(range)
                                        : new Statement.DeleteRange(range).many()
                                : new Statement.Find(
                                        "found", range, List.of("a", "b").subList(0, random.nextInt(3))));
            }
            return new Transaction(List.of(), body);
        }
    }

    private static final class Rows implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            Row row = ending(row(random), random);
            DataOut out = new DataOut(64);
            LanguageCodec.write(row, out);
            return new Sample(out.toBytes(), row);
        }

        @Override
        public Object decode(byte[] input) throws BadDataException {
            DataIn in = new DataIn(input);
            Row row = LanguageCodec.readRow(in);
            in.end();
            return row;
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof BadDataException;
        }

        @Override
        public int bytesPerByte() {
            return 128; // a map's entry of a few bytes is a dozen objects
        }
    }

    @Test
    void aTransactionIsReadAsItWasWrittenOrRefused() {
        Fuzz.run("transactions", new Transactions(), 40_000);
    }

    @Test
    void aTransactionWithRangesIsReadAsItWasWrittenOrRefused() {
        Fuzz.run("transactions with ranges", new Ranges(), 40_000);
    }

    @Test
    void aRowIsReadAsItWasWrittenOrRefused() {
        Fuzz.run("rows", new Rows(), 40_000);
    }

    @Test
    void whatIsNestedTooDeepIsNeitherWrittenNorRead() {
        Expression deep = new Expression.Constant(Value.TRUE);
        DataOut bytes = new DataOut(64).varint(1);
        for (int i = 0; i <= LanguageCodec.MOST_NESTED; i++) {
            deep = new Expression.Not(deep);
            bytes.u8(9);
        }
        Transaction transaction = new Transaction(List.of(deep), List.of());

        assertThatThrownBy(() -> LanguageCodec.write(transaction, new DataOut(64)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("deep");
        assertThatThrownBy(() -> LanguageCodec.readTransaction(new DataIn(bytes.toBytes())))
                .isInstanceOf(BadDataException.class)
                .hasMessageContaining("deep");
    }

    static Transaction transaction(SplittableRandom random) {
        List<Expression> asserts = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            asserts.add(expression(random, 3));
        }
        return new Transaction(asserts, statements(random, 2));
    }

    private static int size(Kind kind, SplittableRandom random) {
        return switch (kind) {
            case TINYINT -> 1;
            case SMALLINT -> 2;
            case INT, FLOAT -> 4;
            case BIGINT, DOUBLE, TIMESTAMP -> 8;
            case TIMEUUID, UUID -> 16;
            default -> random.nextInt(5, 9);
        };
    }

    private static ComputedRange computed(SplittableRandom random) {
        Range like = range(random);
        return new ComputedRange(
                like.partition(),
                like.order(),
                new ComputedRange.Edge(expressions(like.from().values().size(), random), random.nextBoolean()),
                new ComputedRange.Edge(expressions(like.to().values().size(), random), random.nextBoolean()),
                like.backward(),
                like.most());
    }

    private static Statement change(SplittableRandom random) {
        Range like = range(random);
        ComputedRow row = new ComputedRow(
                like.partition(),
                like.order(),
                expressions(like.order().columns().size(), random));
        Expression folded = new Expression.Folded(
                any(Expression.Folded.Fold.values(), random), random.nextInt(3), new Expression.Variable("found"));
        return new Statement.Change(
                row,
                List.of(
                        new Statement.Change.Assignment("c", new Expression.Own("c")),
                        new Statement.Change.Assignment("d", random.nextBoolean() ? folded : expression(random, 2))));
    }

    /** Often such that give a value. */
    private static List<Expression> expressions(int count, SplittableRandom random) {
        List<Expression> drawn = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            drawn.add(random.nextBoolean() ? new Expression.Constant(value(random, 0)) : expression(random, 2));
        }
        return drawn;
    }

    private static Range range(SplittableRandom random) {
        List<RowOrder.Column> columns = new ArrayList<>();
        List<Value.Typed> values = new ArrayList<>();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            Kind kind = any(Kind.values(), random);
            Kind ordered = kind.isOrdered() ? kind : Kind.BYTES;
            byte[] bytes = new byte[random.nextInt(4) == 0 ? 0 : size(ordered, random)];
            random.nextBytes(bytes);
            columns.add(new RowOrder.Column(ordered, random.nextBoolean() ? 4 : -1, random.nextBoolean()));
            values.add(new Value.Typed(ordered, Bytes.copyOf(bytes)));
        }
        return new Range(
                new Partition("t", "k" + random.nextInt(3)),
                new RowOrder(columns),
                new Range.Edge(values.subList(0, random.nextInt(values.size() + 1)), random.nextBoolean()),
                new Range.Edge(values.subList(0, random.nextInt(values.size() + 1)), random.nextBoolean()),
                random.nextBoolean(),
                random.nextInt(Range.MOST_ROWS + 1));
    }

    /** With a value that ends, in half of all cases. */
    private static Row ending(Row row, SplittableRandom random) {
        return random.nextBoolean()
                ? row
                : row.with("e", new Value.Expiring(value(random, 2), random.nextLong(1L << 44)));
    }

    static Row row(SplittableRandom random) {
        Row row = Row.ABSENT;
        for (int i = random.nextInt(4); i > 0; i--) {
            row = row.with("c" + i, value(random, 2));
        }
        return row;
    }

    private static <T> T any(T[] choices, SplittableRandom random) {
        return choices[random.nextInt(choices.length)];
    }

    private static RowKey key(SplittableRandom random) {
        return new RowKey("t" + random.nextInt(2), "k" + random.nextInt(3));
    }

    private static Value.Typed typed(SplittableRandom random) {
        Kind kind = any(KINDS, random);
        byte[] bytes = new byte[new int[] {0, 1, 2, 4, 8, 9, 16}[random.nextInt(7)]];
        random.nextBytes(bytes);
        return new Value.Typed(kind, Bytes.copyOf(bytes));
    }

    private static Value value(SplittableRandom random, int depth) {
        return switch (random.nextInt(depth > 0 ? 7 : 4)) {
            case 0 -> Value.of(random.nextLong());
            case 1 -> Value.of("text" + random.nextInt(9));
            case 2 -> Value.of(random.nextBoolean());
            case 3 -> typed(random);
            case 4 -> {
                TreeSet<Value.Typed> members = new TreeSet<>();
                members.add(typed(random));
                members.add(typed(random));
                yield new Value.Members(members);
            }
            case 5 -> {
                TreeMap<Value.Typed, Value.Typed> entries = new TreeMap<>();
                entries.put(typed(random), typed(random));
                yield new Value.Entries(entries);
            }
            default -> new Value.Items(List.of(value(random, depth - 1), value(random, depth - 1)));
        };
    }

    private static Expression expression(SplittableRandom random, int depth) {
        if (depth == 0) {
            return new Expression.Constant(random.nextInt(8) == 0 ? Value.NOTHING : value(random, 1));
        }
        Expression one = expression(random, depth - 1);
        Expression other = expression(random, depth - 1);
        return switch (random.nextInt(16)) {
            case 0 -> new Expression.Column(key(random), "c");
            case 1 -> new Expression.Exists(key(random));
            case 2 -> new Expression.Variable("v");
            case 3 -> new Expression.Arithmetic(any(Expression.Arithmetic.Operation.values(), random), one, other);
            case 4 -> new Expression.Comparison(any(Expression.Comparison.Relation.values(), random), one, other);
            case 5 -> new Expression.And(List.of(one, other));
            case 6 -> new Expression.Or(List.of(one, other));
            case 7 -> new Expression.Not(one);
            case 8 -> new Expression.In(one, List.of(other));
            case 9 -> new Expression.Appended(one, other);
            case 10 -> new Expression.IsNothing(one);
            case 11 -> new Expression.Choice(one, other, one);
            case 12 -> new Expression.Converted(any(KINDS, random), one);
            case 13 -> new Expression.Combined(any(Expression.Combined.How.values(), random), one, other);
            case 14 -> new Expression.Element(one, other);
            default -> new Expression.Replaced(one, other, one);
        };
    }

    private static List<Statement> statements(SplittableRandom random, int depth) {
        List<Statement> statements = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            statements.add(
                    switch (random.nextInt(depth > 0 ? 6 : 5)) {
                        case 0 -> new Statement.Let("v", expression(random, 2));
                        case 1 -> new Statement.Put(key(random), "c", expression(random, 2));
                        case 2 -> new Statement.Delete(key(random));
                        case 3 -> new Statement.Require(expression(random, 1));
                        case 4 -> new Statement.Return(expression(random, 2));
                        default ->
                            new Statement.If(
                                    expression(random, 1),
                                    statements(random, depth - 1),
                                    statements(random, depth - 1));
                    });
        }
        return statements;
    }
}
