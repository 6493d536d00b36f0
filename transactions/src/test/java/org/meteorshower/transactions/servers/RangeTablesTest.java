/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meteorshower.transactions.servers.Bench.A0;
import static org.meteorshower.transactions.servers.Bench.B0;
import static org.meteorshower.transactions.servers.Bench.copy;
import static org.meteorshower.transactions.servers.Bench.once;
import static org.meteorshower.transactions.servers.Bench.row;
import static org.meteorshower.transactions.servers.Bench.slice;
import static org.meteorshower.transactions.servers.Bench.value;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.servers.ChainMessage.Progress;

/** What a range's server has of its rows in memory, and in the tables. */
class RangeTablesTest {
    private final Bench turn = new Bench(0);

    @Test
    void itReadsRowsAsOfKWhateverIsInTheTables() {
        turn.tables.computeIfAbsent(A0, key -> new TreeMap<>());
        turn.tables.get(A0).put(Version.of(1, 0), new StoredRow(Version.of(1, 0), row(1)));
        turn.tables.get(A0).put(Version.of(4, 0), new StoredRow(Version.of(4, 0), row(9)));
        turn.hears(3, 4, 3, 3, slice(3, once(copy(A0, B0))));
        turn.hears(4, 4, 3, 4);

        assertThat(turn.written.get(0).get(0).row().row()).isEqualTo(row(2));
    }

    @Test
    void ofARowWhosePastIsGoneNothingIsBelieved() {
        turn.tables.computeIfAbsent(A0, key -> new TreeMap<>());
        turn.tables.get(A0).put(1L, new StoredRow(StoredRow.PAST_GONE, Row.ABSENT));
        turn.hears(3, 4, 3, 3, slice(3, once(copy(A0, B0))));
        assertThat(turn.server.evaluations()).isZero();

        turn.tables.clear();
        turn.tick();
        assertThat(turn.server.evaluations()).isEqualTo(1);
    }

    @Test
    void nothingIsBelievedToBeThereWhereAKThatItHasNotHeardOfHasPassedIt() {
        turn.noted = 9;
        turn.hears(3, 4, 3, 3, slice(3, once(copy(A0, B0))));
        assertThat(turn.server.evaluations()).isZero();

        turn.tick();
        assertThat(turn.server.evaluations()).as("it was not").isZero();
        turn.hears(9, 10, 9, 9, slice(9, once(copy(A0, B0))));
        assertThat(turn.server.evaluations()).isEqualTo(1);
    }

    /** Nobody would tell it of that K once more. */
    @Test
    void nothingIsBelievedToBeThereWhereItHasExecutedAllBelowK() {
        turn.hears(0, 3);
        turn.noted = 3;
        turn.hears(3, 4, slice(3, once(copy(A0, B0))));

        assertThat(turn.server.evaluations()).isEqualTo(1);
    }

    @Test
    void aRowThatIsThereIsBelievedWhateverKIs() {
        turn.tables.put(A0, new TreeMap<>(Map.of(5L, new StoredRow(5, row(1)))));
        turn.noted = 9;
        turn.hears(3, 4, 3, 3, slice(3, once(new Statement.Return(value(A0)))));

        assertThat(turn.server.evaluations()).isEqualTo(1);
    }

    private static Request.Once ends(long untilMillis) {
        return once(
                new Statement.Put(A0, "e", new Expression.Ending(new Expression.Constant(Value.of(1)), untilMillis)));
    }

    private List<Long> firstDues() {
        turn.sent.clear();
        turn.tick();
        return turn.take(Progress.class).stream().map(Progress::firstDue).toList();
    }

    @Test
    void whenSomethingEndsThatItHasWrittenIsToldUntilKHasPassedIt() {
        turn.hears(0, 1, 0, 1, slice(0, ends(500)));
        turn.hears(1, 2, 0, 2, slice(1, ends(700)));
        assertThat(firstDues()).containsExactly(500L);

        turn.hears(2, 2, 1, 2);
        assertThat(firstDues()).containsExactly(700L);
        turn.hears(2, 2, 2, 2);
        assertThat(firstDues()).containsExactly(Row.NEVER);
    }

    /** What is noted in the tables may be forgotten before the row is written. */
    @Test
    void whatEndsIsNotedWithEachVersion() {
        turn.hears(0, 1, 0, 1, slice(0, ends(500)));
        turn.hears(1, 2, 1, 2, slice(1, ends(700)));

        assertThat(turn.written).extracting(rows -> rows.get(0).due()).containsExactly(500L, 700L);
    }

    @Test
    void slicesBeginAsThereIsRoomForTheirRows() {
        Bench small = new Bench(1, 40_000);
        small.writesAtOnce = false;
        small.hears(0, 4, slice(0, large()), slice(1, large()), slice(2, large()), slice(3, large()));
        assertThat(small.server.evaluations()).isBetween(1L, 3L);

        for (int i = 0; i < 4; i++) {
            small.writeAll();
        }
        assertThat(small.server.evaluations()).isEqualTo(4);
    }

    private int rows;

    private Request.Once large() {
        return once(new Statement.Put(
                new RowKey("t", "large" + ++rows + "-1"), "v", new Expression.Constant(Value.of("x".repeat(5_000)))));
    }

    @Test
    void itWritesBehindBeforeACutWhereRowsTakeTooMuch() {
        Bench small = new Bench(0, 2_000);
        small.hears(0, 1, slice(0, once(copy(A0, A0), copy(B0, B0))));

        assertThat(small.written).hasSize(1);
    }
}
