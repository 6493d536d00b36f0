/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RangeTest {
    private static final RowOrder NUMBER = new RowOrder(List.of(new RowOrder.Column(Kind.INT, 4, false)));
    private static final RowOrder TEXT_AND_NUMBER_DOWN = new RowOrder(List.of(
            new RowOrder.Column(Kind.TEXT, RowOrder.Column.VARIABLE, false),
            new RowOrder.Column(Kind.BIGINT, 8, true)));

    private static Value.Typed number(int value) {
        return new Value.Typed(
                Kind.INT, Bytes.copyOf(HexFormat.of().parseHex(HexFormat.of().toHexDigits(value))));
    }

    private static Value.Typed bigint(long value) {
        return new Value.Typed(
                Kind.BIGINT, Bytes.copyOf(HexFormat.of().parseHex(HexFormat.of().toHexDigits(value))));
    }

    private static Value.Typed text(String value) {
        return new Value.Typed(Kind.TEXT, Bytes.copyOf(value.getBytes(StandardCharsets.UTF_8)));
    }

    private static RowKey row(int number) {
        return new RowKey("t", "aa.00" + HexFormat.of().toHexDigits(number));
    }

    private static RowKey row(String text, long number) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new RowKey(
                "t",
                "aa.00" + HexFormat.of().toHexDigits((byte) bytes.length)
                        + HexFormat.of().formatHex(bytes) + HexFormat.of().toHexDigits(number));
    }

    private static Range range(RowOrder order, Range.Edge from, Range.Edge to, boolean backward, int most) {
        return new Range(new Partition("t", "aa"), order, from, to, backward, most);
    }

    private static Range.Edge edge(boolean included, Value.Typed... values) {
        return new Range.Edge(List.of(values), included);
    }

    private static SortedMap<RowKey, Row> rows(RowKey... keys) {
        TreeMap<RowKey, Row> rows = new TreeMap<>();
        for (RowKey key : keys) {
            rows.put(key, Row.ABSENT.with("v", Value.of(rows.size())));
        }
        return rows;
    }

    @Test
    void numbersHaveTheirOwnOrderAndEdgesBelongOrNot() {
        SortedMap<RowKey, Row> rows = rows(row(-3), row(0), row(5), row(9), row(300));
        assertThat(range(NUMBER, Range.Edge.OPEN, Range.Edge.OPEN, false, Range.ALL)
                        .of(rows)
                        .keySet())
                .containsExactly(row(-3), row(0), row(5), row(9), row(300));
        assertThat(range(NUMBER, edge(true, number(0)), edge(false, number(9)), false, Range.ALL)
                        .of(rows)
                        .keySet())
                .containsExactly(row(0), row(5));
        assertThat(range(NUMBER, edge(false, number(0)), edge(true, number(9)), true, Range.ALL)
                        .of(rows)
                        .keySet())
                .containsExactly(row(9), row(5));
        assertThat(range(NUMBER, edge(false, number(-3)), Range.Edge.OPEN, false, 2)
                        .of(rows)
                        .keySet())
                .containsExactly(row(0), row(5));
        assertThat(range(NUMBER, Range.Edge.OPEN, edge(false, number(9)), true, 1)
                        .of(rows)
                        .keySet())
                .containsExactly(row(5));
    }

    @Test
    void edgesMayBeOfTheFirstColumnsAndColumnsMayCountDown() {
        SortedMap<RowKey, Row> rows = rows(row("a", 1), row("a", 7), row("b", -1), row("b", 2), row("c", 0));
        assertThat(range(TEXT_AND_NUMBER_DOWN, Range.Edge.OPEN, Range.Edge.OPEN, false, Range.ALL)
                        .of(rows)
                        .keySet())
                .containsExactly(row("a", 7), row("a", 1), row("b", 2), row("b", -1), row("c", 0));
        assertThat(range(TEXT_AND_NUMBER_DOWN, edge(true, text("b")), edge(true, text("b")), false, 1)
                        .of(rows)
                        .keySet())
                .containsExactly(row("b", 2));
        assertThat(range(TEXT_AND_NUMBER_DOWN, edge(false, text("b")), Range.Edge.OPEN, false, Range.ALL)
                        .of(rows)
                        .keySet())
                .containsExactly(row("c", 0));
        assertThat(range(
                                TEXT_AND_NUMBER_DOWN,
                                edge(true, text("a"), bigint(5)),
                                edge(true, text("b"), bigint(2)),
                                false,
                                Range.ALL)
                        .of(rows)
                        .keySet())
                .containsExactly(row("a", 1), row("b", 2));
    }

    /** Static columns, other partitions and tables, what does not fit, and rows that are not there. */
    @Test
    void whatHasNoPlaceInTheOrderIsNotInIt() {
        Range all = range(NUMBER, Range.Edge.OPEN, Range.Edge.OPEN, false, Range.ALL);
        SortedMap<RowKey, Row> rows = rows(
                row(1),
                new RowKey("t", "aa.s"),
                new RowKey("t", "aa"),
                new RowKey("t", "ab.0000000001"),
                new RowKey("s", "aa.0000000001"),
                new RowKey("t", "aa.00000001"),
                new RowKey("t", "aa.000000000102"),
                new RowKey("t", "aa."),
                new RowKey("t", "aa.zz"),
                new RowKey("t", "aa.02"));
        rows.put(row(2), Row.ABSENT);
        assertThat(all.of(rows).keySet()).containsExactly(row(1));
        assertThat(all.partition().contains(new RowKey("t", "aa.s"))).isTrue();
        assertThat(all.partition().contains(new RowKey("t", "aab.s"))).isFalse();
        assertThat(RowOrder.partition(new RowKey("t", "aa.s"))).isEqualTo("aa");
        assertThat(RowOrder.partition(new RowKey("t", "aa"))).isNull();
    }

    @Test
    void anEmptyValueComesFirst() {
        RowOrder text = new RowOrder(List.of(new RowOrder.Column(Kind.TEXT, RowOrder.Column.VARIABLE, false)));
        RowKey empty = new RowKey("t", "aa.01");
        RowKey full = new RowKey("t", "aa.000161");
        assertThat(range(text, Range.Edge.OPEN, Range.Edge.OPEN, false, Range.ALL)
                        .of(rows(full, empty))
                        .keySet())
                .containsExactly(empty, full);
        assertThat(range(text, edge(false, text("")), Range.Edge.OPEN, false, Range.ALL)
                        .of(rows(full, empty))
                        .keySet())
                .containsExactly(full);
    }

    @Test
    void moreThanCanBeTakenFailsTheTransaction() {
        TreeMap<RowKey, Row> rows = new TreeMap<>();
        for (int i = 0; i <= Range.MOST_ROWS; i++) {
            rows.put(row(i), Row.ABSENT.with("v", Value.of(i)));
        }
        Range all = range(NUMBER, Range.Edge.OPEN, Range.Edge.OPEN, false, Range.ALL);
        assertThatThrownBy(() -> all.of(rows)).hasMessageContaining("LIMIT");
        assertThat(range(NUMBER, Range.Edge.OPEN, Range.Edge.OPEN, true, Range.MOST_ROWS)
                        .of(rows))
                .hasSize(500);
        SortedMap<RowKey, Row> large = rows(row(1), row(2), row(3));
        large.replaceAll((key, row) -> row.with("w", Value.of("x".repeat(Range.MOST_BYTES / 2))));
        assertThatThrownBy(() -> all.of(large)).hasMessageContaining("4 MiB");
        assertThat(range(NUMBER, Range.Edge.OPEN, Range.Edge.OPEN, false, 1).of(large))
                .hasSize(1);
    }

    @Test
    void manyMoreMayBeDeletedThanRead() {
        TreeMap<RowKey, Row> rows = new TreeMap<>();
        for (int i = 0; i < Range.MOST_DELETED; i++) {
            rows.put(row(i), Row.ABSENT.with("v", Value.of(i)));
        }
        Range all = range(NUMBER, Range.Edge.OPEN, Range.Edge.OPEN, false, Range.ALL);
        Statement.DeleteRange delete = new Statement.DeleteRange(all).many();
        assertThat(((Range) delete.range()).of(rows)).hasSize(Range.MOST_DELETED);
        assertThat(delete.range().claim().rows()).isEqualTo(Range.MOST_DELETED + 1);
        rows.put(row(Range.MOST_DELETED), Row.ABSENT.with("v", Value.of(0)));
        assertThatThrownBy(() -> ((Range) delete.range()).of(rows)).hasMessageContaining("delete a part of it");
        Range one = range(NUMBER, Range.Edge.OPEN, Range.Edge.OPEN, false, 1);
        assertThat(new Statement.DeleteRange(one).many().range()).isEqualTo(one);
        assertThatThrownBy(() -> new Statement.Find("f", delete.range(), List.of()))
                .hasMessageContaining("not to be read");
        assertThat(new Transaction(List.of(), List.of(new Statement.DeleteRange(all)))
                        .deletingMany()
                        .body())
                .containsExactly(delete);
        Transaction looking = new Transaction(
                List.of(), List.of(new Statement.Find("f", one, List.of()), new Statement.DeleteRange(all)));
        assertThat(looking.deletingMany())
                .as("of the other range many more would be gathered")
                .isEqualTo(looking);
    }

    @Test
    void nonsenseIsRefusedWhenItIsMade() {
        assertThatThrownBy(() -> range(NUMBER, edge(true, bigint(1)), Range.Edge.OPEN, false, 1))
                .hasMessageContaining("where rows have INT");
        assertThatThrownBy(() -> range(NUMBER, edge(true, number(1), number(2)), Range.Edge.OPEN, false, 1))
                .hasMessageContaining("more values");
        assertThatThrownBy(() -> range(NUMBER, Range.Edge.OPEN, Range.Edge.OPEN, false, Range.MOST_ROWS + 1))
                .hasMessageContaining("at most 500");
        assertThatThrownBy(() -> new RowOrder.Column(Kind.OTHER, 16, false)).hasMessageContaining("no order");
        Range one = range(NUMBER, Range.Edge.OPEN, Range.Edge.OPEN, false, 1);
        List<Statement> body = new ArrayList<>();
        for (int i = 0; i <= Transaction.MOST_RANGES; i++) {
            body.add(new Statement.DeleteRange(one));
        }
        assertThatThrownBy(() -> new Transaction(List.of(), body)).hasMessageContaining("17 ranges");
    }

    @Test
    void aTransactionSeesItsOwnWritesInARange() {
        Range all = range(NUMBER, Range.Edge.OPEN, Range.Edge.OPEN, false, Range.ALL);
        Range first = range(NUMBER, Range.Edge.OPEN, Range.Edge.OPEN, false, 1);
        Transaction transaction = new Transaction(
                List.of(),
                List.of(
                        new Statement.Find("before", all, List.of("v", "none")),
                        new Statement.Put(row(0), "v", new Expression.Constant(Value.of(7))),
                        new Statement.Delete(row(1)),
                        new Statement.Find("after", all, List.of("v")),
                        new Statement.DeleteRange(first),
                        new Statement.Find("left", first, List.of("v")),
                        new Statement.DeleteRange(all),
                        new Statement.Find("nothing", all, List.of("v")),
                        new Statement.Return(new Expression.Variable("before")),
                        new Statement.Return(new Expression.Variable("after")),
                        new Statement.Return(new Expression.Variable("left")),
                        new Statement.Return(new Expression.Variable("nothing"))));
        SortedMap<RowKey, Row> held = rows(row(1), row(2));
        held.put(row(0), Row.ABSENT);
        assertThat(transaction.isReadOnly()).isFalse();
        assertThat(transaction.rows()).containsExactly(row(0), row(1));
        Evaluation evaluation = Program.run(transaction, held);
        assertThat(evaluation.outcome())
                .isEqualTo(new Outcome.Committed(List.of(
                        items(
                                items(number(1), Value.of(0), Value.NOTHING),
                                items(number(2), Value.of(1), Value.NOTHING)),
                        items(items(number(0), Value.of(7)), items(number(2), Value.of(1))),
                        items(items(number(2), Value.of(1))),
                        Value.NOTHING)));
        assertThat(evaluation.writes()).containsOnlyKeys(row(0), row(1), row(2));
        assertThat(evaluation.writes().values()).containsOnly(Row.ABSENT);
    }

    private static Value items(Value... values) {
        return new Value.Items(List.of(values));
    }
}
