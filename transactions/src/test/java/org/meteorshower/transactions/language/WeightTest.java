/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.github.jamm.MemoryMeter;
import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.Submission;

/** What things are said to take, against what their objects take in this Java. */
class WeightTest {
    private static final int ENTRIES = 10_000;
    private static final MemoryMeter METER = MemoryMeter.builder().build();

    @Test
    void entriesThatWriteAKilobyteTakeAboutWhatTheyAreSaidTo() {
        isAboutRight(i -> write("x".repeat(1_000) + i), Entry::weight, 2);
    }

    /** Names that many entries share count for each. */
    @Test
    void smallEntriesTakeNoMoreThanTheyAreSaidToByMuch() {
        isAboutRight(i -> write("v" + i), Entry::weight, 3);
    }

    @Test
    void rowsOfManyColumnsTakeAboutWhatTheyAreSaidTo() {
        isAboutRight(
                i -> {
                    Row row = Row.ABSENT;
                    for (int column = 0; column < 8; column++) {
                        row = row.with(column + "c" + i, Value.of("x".repeat(40) + column));
                    }
                    return row;
                },
                Weight::of,
                2);
    }

    @Test
    void whatIsHeldTwiceCountsTwice() {
        Row row = Row.ABSENT.with("v", Value.of("x".repeat(100)));
        assertThat(Weight.of(row.with("w", Value.of("x".repeat(100)))) - Weight.of(row))
                .isBetween(100, 400);
    }

    private static Entry write(String content) {
        Transaction put = new Transaction(
                List.of(),
                List.of(new Statement.Put(
                        new RowKey("table", content.substring(content.length() - 1) + content.length()),
                        "column",
                        new Expression.Constant(Value.of(content)))));
        return new Entry(1, 2, List.of(new Submission(3, new Request.Once(put))));
    }

    private interface Weigh<T> {
        int weigh(T thing);
    }

    private static <T> void isAboutRight(IntFunction<T> make, Weigh<T> weigh, double most) {
        List<T> things = new ArrayList<>(ENTRIES);
        long said = 0;
        for (int i = 0; i < ENTRIES; i++) {
            T thing = make.apply(i);
            said += weigh.weigh(thing);
            things.add(thing);
        }
        long taken = METER.measureDeep(things);
        assertThat((double) said / taken)
                .as("%d bytes said, %d taken", said, taken)
                .isBetween(0.5, most);
    }
}
