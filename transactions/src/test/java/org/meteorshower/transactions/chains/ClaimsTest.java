/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.language.Bytes;
import org.meteorshower.transactions.language.ComputedRange;
import org.meteorshower.transactions.language.ComputedRow;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Kind;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.RowOrder;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.merge.Merged;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.port.Turn;

/**
 * Transactions that have partitions to themselves among others. Who waits for whom is seen in the order in which they
 * are executed.
 */
class ClaimsTest {
    private static final RowOrder ORDER = new RowOrder(List.of(new RowOrder.Column(Kind.INT, 4, false)));
    private static final RowKey ELSEWHERE = new RowKey("t", "q.0000000001");

    private final Turn turn = new Turn(new Members(0, 1));

    /** Half of it is room for one range at a time. */
    private final RowMemory memory = new RowMemory(turn::emit, 1_000, 4L * Range.MOST_BYTES, 1, 0);

    private final List<Long> executed = new ArrayList<>();
    private final Map<Long, Outcome> outcomes = new HashMap<>();
    private final ChainServer chains = new ChainServer(
            turn,
            memory,
            Checkpoint.first(1),
            (merged, index, submission, outcome) -> {
                executed.add(merged.number());
                outcomes.put(merged.number(), outcome);
            },
            new ChangeStream(0, 0),
            null);
    private long number;

    @BeforeEach
    void begin() {
        turn.begin(new Now(0, 0));
    }

    private static RowKey row(int place) {
        return row("p", place);
    }

    private static RowKey row(String partition, int place) {
        return new RowKey("t", partition + ".00" + HexFormat.of().toHexDigits(place));
    }

    private static Range range(String partition, int most) {
        return new Range(new Partition("t", partition), ORDER, Range.Edge.OPEN, Range.Edge.OPEN, false, most);
    }

    /** Returns its number in the order. */
    private long merge(Statement... body) {
        Request request = new Request.Once(new Transaction(List.of(), List.of(body)));
        chains.execute(new Merged(
                number, 0, number, number + 1, new Entry(number + 1, 1, List.of(new Submission(1, request)))));
        return number++;
    }

    private long read(String partition, int most) {
        return merge(
                new Statement.Find("found", range(partition, most), List.of("v")),
                new Statement.Return(new Expression.Variable("found")));
    }

    private long put(RowKey row) {
        return merge(new Statement.Put(row, "v", new Expression.Constant(Value.of(7))));
    }

    private void loaded(RowKey... keys) {
        Map<RowKey, StoredRow> rows = new HashMap<>();
        for (RowKey key : keys) {
            rows.put(key, StoredRow.NEVER_WRITTEN);
        }
        chains.loaded(1, rows);
    }

    /** What is asked for since the last time. */
    private List<Effect.ReadKeys> asked() {
        List<Effect.ReadKeys> asked = new ArrayList<>();
        for (Effect effect : turn.end()) {
            if (effect instanceof Effect.ReadKeys read) {
                asked.add(read);
            }
        }
        turn.begin(new Now(0, 0));
        return asked;
    }

    private Effect.ReadKeys oneAsked() {
        List<Effect.ReadKeys> asked = asked();
        assertThat(asked).hasSize(1);
        return asked.get(0);
    }

    private List<Value> places(long read) {
        List<Value> values = ((Outcome.Committed) outcomes.get(read)).values();
        return values.get(0) instanceof Value.Items rows ? rows.values() : List.of();
    }

    @Test
    void aRangeWaitsForAllBeforeItInItsPartitionAndAllBehindWaitForIt() {
        long before = put(row(1));
        long range = read("p", Range.ALL);
        long behind = put(row(2));
        long elsewhere = put(ELSEWHERE);
        loaded(row(2), ELSEWHERE);
        assertThat(executed).as("other partitions do not wait").containsExactly(elsewhere);
        assertThat(asked()).as("its turn has not come").isEmpty();

        loaded(row(1));
        assertThat(executed).containsExactly(elsewhere, before);
        chains.keysRead(oneAsked().request(), List.of(), false);
        assertThat(executed).containsExactly(elsewhere, before, range, behind);
        assertThat(places(range)).as("what is only in memory").hasSize(1);
        assertThat(merge(new Statement.Delete(row(1)))).isEqualTo(4);
        assertThat(executed).as("nobody has the partition any more").hasSize(5);
    }

    @Test
    void othersOfAPartitionDoNotWaitForEachOther() {
        long first = put(row(1));
        long second = put(row(2));
        loaded(row(2));
        assertThat(executed).containsExactly(second);
        loaded(row(1));
        assertThat(executed).containsExactly(second, first);
    }

    @Test
    void keysAreAskedForUntilThereAreEnoughRows() {
        long range = read("p", 2);
        Effect.ReadKeys first = oneAsked();
        assertThat(first.after()).isNull();
        assertThat(first.most()).as("as many as are told together").isEqualTo(64);
        chains.keysRead(first.request(), List.of(row(1), row(2)), true);
        chains.loaded(1, Map.of(row(1), new StoredRow(9, Row.ABSENT), row(2), stored(2)));
        Effect.ReadKeys second = oneAsked();
        assertThat(second.after()).isEqualTo(row(2));
        chains.keysRead(second.request(), List.of(row(3)), true);
        assertThat(executed).isEmpty();
        chains.loaded(1, Map.of(row(3), stored(3)));
        assertThat(executed).containsExactly(range);
        assertThat(places(range)).hasSize(2);
        assertThat(asked()).isEmpty();
    }

    private static StoredRow stored(long version) {
        return new StoredRow(version, Row.ABSENT.with("v", Value.of(version)));
    }

    /** Of absent ones, too, of which there may be any number. */
    @Test
    void rowsThatWereLookedAtCanGo() {
        read("p", 1);
        chains.keysRead(oneAsked().request(), List.of(row(1), row(2), row(3)), true);
        assertThat(memory.state(row(1)).pins).isEqualTo(1);
        chains.loaded(1, Map.of(row(1), new StoredRow(9, Row.ABSENT)));
        assertThat(asked()).as("row 2 comes next").isEmpty();
        assertThat(memory.state(row(1)).pins).isZero();
        chains.loaded(1, Map.of(row(2), stored(2)));
        assertThat(executed).hasSize(1);
        for (int place = 1; place <= 2; place++) {
            assertThat(memory.state(row(place)).pins).as("row %s", place).isZero();
            assertThat(memory.state(row(place)).isIdle()).isTrue();
        }
    }

    @Test
    void whatIsKnownIsNotAskedForAgain() {
        long first = read("p", 2);
        chains.keysRead(oneAsked().request(), List.of(row(1), row(5)), true);
        chains.loaded(1, Map.of(row(1), stored(1), row(5), stored(2)));
        assertThat(places(first)).hasSize(2);

        put(row(3));
        loaded(row(3));
        assertThat(places(read("p", 2))).as("row 3 came between").hasSize(2);
        merge(new Statement.Delete(row(1)));
        assertThat(asked()).isEmpty();
        long third = read("p", 2);
        assertThat(places(third)).hasSize(2);
        assertThat(asked()).as("rows 3 and 5 are known").isEmpty();

        long more = read("p", 3);
        Effect.ReadKeys rest = oneAsked();
        assertThat(rest.range().begins())
                .as("behind what is known")
                .isEqualTo(rest.range().at(row(5), true));
        chains.keysRead(rest.request(), List.of(), false);
        assertThat(places(more)).hasSize(2);
        long all = read("p", Range.ALL);
        assertThat(places(all)).hasSize(2);
        assertThat(asked()).as("it ends there").isEmpty();
    }

    @Test
    void oneRangeIsGatheredAfterTheOtherWhereThereIsLittleRoom() {
        long first = read("p", Range.ALL);
        long second = read("q", Range.ALL);
        Effect.ReadKeys asked = oneAsked();
        assertThat(asked.range().partition()).isEqualTo(new Partition("t", "p"));
        chains.keysRead(asked.request(), List.of(), false);
        assertThat(executed).containsExactly(first);
        chains.keysRead(oneAsked().request(), List.of(), false);
        assertThat(executed).containsExactly(first, second);
    }

    @Test
    void whatIsAnsweredAfterASnapshotWasPutInIsNotHeeded() {
        read("p", Range.ALL);
        long request = oneAsked().request();
        memory.jump(2, 7);
        chains.jump(new Checkpoint(7, List.of(7L), List.of(7L), 0));
        chains.keysRead(request, List.of(row(1)), false);
        assertThat(executed).isEmpty();
    }

    private static Expression number(int value) {
        return new Expression.Constant(new Value.Typed(Kind.INT, Bytes.copyOf(new byte[] {0, 0, 0, (byte) value})));
    }

    /** What the first row that was found is ordered by, and one more. */
    private static Expression behind(String found) {
        return new Expression.Arithmetic(
                Expression.Arithmetic.Operation.PLUS,
                new Expression.Element(new Expression.Element(new Expression.Variable(found), number(0)), number(0)),
                number(1));
    }

    private static Statement find(String name, Expression place) {
        ComputedRange.Edge at = new ComputedRange.Edge(List.of(place), true);
        return new Statement.Find(
                name, new ComputedRange(new Partition("t", "p"), ORDER, at, at, false, Range.ALL), List.of("v"));
    }

    private static Statement change(String found) {
        return new Statement.Change(
                new ComputedRow(new Partition("t", "p"), ORDER, List.of(behind(found))),
                List.of(
                        new Statement.Change.Assignment("v", new Expression.Constant(Value.of(7))),
                        new Statement.Change.Assignment("w", new Expression.Own("v"))));
    }

    @Test
    void rowsWhoseKeysAreComputedAreReadAtTheTurnWithTheirPartitionHeld() {
        long before = put(row(2));
        long computed = merge(
                new Statement.Find("found", range("q", 1), List.of()),
                change("found"),
                find("changed", behind("found")),
                new Statement.Return(new Expression.Variable("changed")));
        long behind = put(row(9));
        loaded(row(9));
        assertThat(executed).as("whatever is computed, it is of this partition").isEmpty();
        assertThat(asked()).as("its turn has not come").isEmpty();

        loaded(row(2));
        assertThat(executed).containsExactly(before);
        chains.keysRead(oneAsked().request(), List.of(row("q", 4)), false);
        chains.loaded(1, Map.of(row("q", 4), stored(4)));
        assertThat(executed).as("row 5 is being read").containsExactly(before);
        assertThat(asked()).as("which has a name now").isEmpty();
        chains.loaded(1, Map.of(row(5), stored(5)));
        assertThat(executed).containsExactly(before, computed, behind);
        assertThat(places(computed))
                .containsExactly(new Value.Items(List.of(((Expression.Constant) number(5)).value(), Value.of(7))));
        assertThat(memory.state(row(5)).newest().row().get("w")).isEqualTo(Value.of(7));
        assertThat(memory.state(row(5)).pins).isZero();
    }

    @Test
    void theSameRowByNameAndByWhatIsComputedIsOne() {
        long both = merge(
                new Statement.Put(row(3), "v", new Expression.Constant(Value.of(1))),
                find("found", number(3)),
                change("found"),
                new Statement.Put(row(4), "u", new Expression.Constant(Value.of(2))));
        loaded(row(3), row(4));
        assertThat(executed).containsExactly(both);
        assertThat(memory.state(row(4)).newest().row().columns()).containsOnlyKeys("u", "v", "w");
        assertThat(memory.state(row(4)).pins).isZero();
    }

    /** Each tells where the next one is. */
    @Test
    void whoLooksTooOftenFails() {
        for (int deep : List.of(Transaction.MOST_LOOKS, Transaction.MOST_LOOKS + 1)) {
            List<Statement> body = new ArrayList<>();
            body.add(find("f0", number(0)));
            for (int i = 1; i < deep; i++) {
                body.add(find("f" + i, behind("f" + (i - 1))));
            }
            body.add(new Statement.Put(ELSEWHERE, "v", new Expression.Constant(Value.of(1))));
            long chain = merge(body.toArray(Statement[]::new));
            loaded(ELSEWHERE);
            for (int i = 0; i < deep; i++) {
                chains.loaded(1, Map.of(row(i), stored(1)));
            }
            if (deep <= Transaction.MOST_LOOKS) {
                assertThat(outcomes.get(chain)).isInstanceOf(Outcome.Committed.class);
            } else {
                assertThat(((Outcome.Aborted) outcomes.get(chain)).detail()).contains("more than 16 deep");
            }
            chains.jump(Checkpoint.first(1));
            memory.jump(1, 0);
        }
    }
}
