/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.port.Turn;

/** Rows are written in entries 1, 2, 3 and so on: in versions 4096, 8192, 12288. */
class RowMemoryTest {
    private static final RowKey A = new RowKey("t", "a");
    private static final RowKey SESSION = new SessionId(0, 1, 0).row();
    private static final int EDITION = 3;
    private static final Row USERS = row(77);

    private final Turn turn = new Turn(new Members(0, 1));
    private final RowMemory memory = new RowMemory(turn::emit, 10, 100_000, EDITION, 0);

    @BeforeEach
    void begin() {
        turn.begin(new Now(0, 0));
    }

    private static Row row(int value) {
        return Row.ABSENT.with("v", Value.of(value));
    }

    private RowState loaded(RowKey key, StoredRow stored) {
        RowState state = memory.state(key);
        memory.loaded(EDITION, Map.of(key, stored));
        return state;
    }

    private void write(RowKey key, int entry, Row row) {
        memory.write(memory.state(key), Version.of(entry, 0), row, entry + 1, entry + 1);
    }

    /** A cut as of the count. The tables have it. */
    private List<RowWrite> cut(long count, long nobodyBefore) {
        List<RowWrite> rows = memory.unwritten(count, nobodyBefore, 0);
        memory.durable(rows, count);
        return rows;
    }

    @Test
    void asManyAbsentRowsAreForgottenAsRowsAreDeleted() {
        RowMemory large = new RowMemory(turn::emit, 10_000, 1_000_000_000, EDITION, 0);
        write(large, "gone", 1_500, 1, row(1));
        large.durable(large.unwritten(2, 0, 0), 2);
        write(large, "gone", 1_500, 2, Row.ABSENT);
        large.durable(large.unwritten(3, 0, 0), 3);

        assertThat(large.unwritten(3, 3, 0)).as("a cut that writes nothing").hasSize(500);
        write(large, "new", 450, 3, row(1));
        assertThat(large.unwritten(4, 3, 0).stream().filter(RowWrite::isPurge)).hasSize(900);
    }

    private static void write(RowMemory memory, String name, int rows, int entry, Row row) {
        Map<RowKey, StoredRow> stored = new HashMap<>();
        for (int i = 0; i < rows; i++) {
            RowKey key = new RowKey("t", name + i);
            var unused = memory.state(key);
            stored.put(key, StoredRow.NEVER_WRITTEN);
        }
        var unused = memory.loaded(EDITION, stored);
        for (RowKey key : stored.keySet()) {
            memory.write(memory.state(key), Version.of(entry, 0), row, entry + 1, entry + 1);
        }
    }

    private long due(long count, long lookedAtBelow) {
        List<RowWrite> rows = memory.unwritten(count, 0, lookedAtBelow);
        memory.durable(rows, count);
        return rows.get(0).due();
    }

    private static Row ending(long untilMillis) {
        return Row.ABSENT.with("v", new Value.Expiring(Value.of(1), untilMillis));
    }

    /** Renewed again and again, it needs one note. */
    @Test
    void aRowOfWhichSomethingEndsIsNotedOnceUntilItWasLookedAt() {
        loaded(A, StoredRow.NEVER_WRITTEN);
        write(A, 1, ending(1_000));
        assertThat(due(2, 10)).isEqualTo(1_000);
        write(A, 2, ending(2_000));
        assertThat(due(3, 20)).as("it is looked at before, and noted anew then").isEqualTo(RowWrite.NOT_DUE);
        write(A, 3, ending(500));
        assertThat(due(4, 30)).as("it ends earlier").isEqualTo(500);
        write(A, 4, row(1));
        assertThat(due(5, 40)).isEqualTo(RowWrite.NOT_DUE);
        write(A, 5, ending(3_000));
        assertThat(due(6, 501)).as("the note has been looked at").isEqualTo(3_000);
        write(A, 6, ending(100));
        assertThat(due(7, 700)).as("not where nobody looks any more").isEqualTo(700);
    }

    @Test
    void whatTheTablesHoldIsNoted() {
        loaded(A, new StoredRow(Version.of(1, 0), ending(1_000)));
        write(A, 2, ending(2_000));
        assertThat(due(3, 20)).isEqualTo(RowWrite.NOT_DUE);
    }

    private static RowWrite wrote(RowKey key, int entry, Row row, long previous, @Nullable Row base, long forget) {
        return new RowWrite(key, new StoredRow(Version.of(entry, 0), row), previous, base, forget);
    }

    /** Whose trace may be gone before the next one is written anew. */
    @Test
    void aVersionSaysWhetherTheRowWasAbsentBeforeIt() {
        loaded(A, StoredRow.NEVER_WRITTEN);
        write(A, 1, row(1));
        assertThat(cut(2, 0).get(0).previous()).isZero();
        write(A, 2, Row.ABSENT);
        assertThat(cut(3, 0).get(0).previous()).isEqualTo(Version.of(1, 0));
        write(A, 3, row(3));
        long previous = cut(4, 0).get(0).previous();
        assertThat(previous).isEqualTo(-Version.of(2, 0));

        long limit = Version.endOf(2);
        assertThat(StoredRow.unkept(previous, Version.endOf(3))).isEqualTo(new StoredRow(Version.of(2, 0), Row.ABSENT));
        assertThat(StoredRow.unkept(previous, limit))
                .as("earlier than that")
                .extracting(StoredRow::version)
                .isEqualTo(StoredRow.PAST_GONE);
        assertThat(StoredRow.unkept(Version.of(1, 0), limit))
                .as("it was there")
                .extracting(StoredRow::version)
                .isEqualTo(StoredRow.PAST_GONE);
        assertThat(StoredRow.unkept(0, limit)).isNull();
    }

    @Test
    void whatTheRowWasBeforeAnyTransactionIsKeptWithItsFirstVersion() {
        loaded(A, new StoredRow(0, USERS));
        write(A, 1, row(1));
        assertThat(cut(2, 0)).containsExactly(wrote(A, 1, row(1), 0, USERS, 0));
        write(A, 2, row(2));
        assertThat(cut(3, 0)).as("once").containsExactly(wrote(A, 2, row(2), Version.of(1, 0), null, 0));
    }

    @Test
    void itIsKeptAlsoWhenTheFirstVersionIsWrittenAgain() {
        loaded(A, new StoredRow(0, USERS));
        write(A, 1, row(1));
        List<RowWrite> lost = memory.unwritten(2, 0, 0);
        write(A, 2, row(2));
        assertThat(memory.unwritten(3, 0, 0)).containsExactly(wrote(A, 2, row(2), 0, USERS, 0));
        assertThat(lost).hasSize(1);
    }

    @Test
    void ofARowThatWasAbsentNothingIsKept() {
        loaded(A, StoredRow.NEVER_WRITTEN);
        write(A, 1, row(1));
        assertThat(cut(2, 0)).containsExactly(wrote(A, 1, row(1), 0, null, 0));
    }

    /** A restart executes again from the last checkpoint that is done, and must read what the row was there. */
    @Test
    void theVersionThatACheckpointCoversIsNotForgotten() {
        loaded(A, StoredRow.NEVER_WRITTEN);
        write(A, 1, row(1));
        cut(2, 0);
        write(A, 2, row(2));
        long first = Version.of(1, 0);
        assertThat(cut(3, 1)).as("as of 1 it was not there").containsExactly(wrote(A, 2, row(2), first, null, 0));
        write(A, 3, row(3));
        long second = Version.of(2, 0);
        assertThat(cut(4, 2)).as("as of 2 it was the first one").containsExactly(wrote(A, 3, row(3), second, null, 0));
        write(A, 4, row(4));
        long third = Version.of(3, 0);
        assertThat(cut(5, 4))
                .as("nobody reads what is older than it")
                .containsExactly(wrote(A, 4, row(4), third, null, third));
    }

    @Test
    void aCutHoldsOnlyWhatWasWrittenBeforeItsCount() {
        loaded(A, StoredRow.NEVER_WRITTEN);
        memory.write(memory.state(A), Version.of(1, 0), row(1), 2, 2);
        memory.write(memory.state(A), Version.of(5, 0), row(5), 2, 2);
        assertThat(cut(2, 0)).containsExactly(wrote(A, 1, row(1), 0, null, 0));
        assertThat(cut(4, 0)).isEmpty();
        assertThat(cut(6, 2)).containsExactly(wrote(A, 5, row(5), Version.of(1, 0), null, Version.of(1, 0)));
    }

    /** Otherwise an entry that is executed again would meet what it has written itself. */
    @Test
    void rowsAreReadAsOfWhatTheTablesHold() {
        memory.state(A);
        memory.flush(0, List::of);
        assertThat(turn.end())
                .containsExactly(new Effect.ReadRows(EDITION, Version.endOf(0), new TreeSet<>(List.of(A))));
        begin();
        memory.durable(List.of(), 7);
        memory.state(SESSION);
        memory.flush(0, List::of);
        assertThat(turn.end())
                .containsExactly(new Effect.ReadRows(EDITION, Version.endOf(7), new TreeSet<>(List.of(SESSION))));
    }

    @Test
    void whatWasReadOfAnotherEditionIsNotTaken() {
        RowState state = memory.state(A);
        assertThat(memory.loaded(EDITION - 1, Map.of(A, new StoredRow(5, USERS))))
                .isEmpty();
        assertThat(state.isLoaded()).isFalse();
    }

    @Test
    void aSessionThatEndedLeavesNoTrace() {
        loaded(SESSION, StoredRow.NEVER_WRITTEN);
        write(SESSION, 1, row(1));
        cut(2, 0);
        write(SESSION, 2, Row.ABSENT);
        cut(3, 2);
        assertThat(cut(4, 2)).as("somebody may still read it as of 2").isEmpty();
        long ended = Version.of(2, 0);
        List<RowWrite> purge = cut(5, 3);
        assertThat(purge)
                .containsExactly(new RowWrite(SESSION, new StoredRow(ended, Row.ABSENT), 0, null, ended + 1))
                .allMatch(RowWrite::isPurge);
        assertThat(cut(6, 5)).isEmpty();
    }

    @Test
    void rowsThatAreInTheirTablesGoAndGiveBackWhatTheyTook() {
        RowMemory small = new RowMemory(turn::emit, 1, 100_000, EDITION, 0);
        for (int i = 0; i < 20; i++) {
            RowKey key = new RowKey("t", "r" + i);
            RowState state = small.state(key);
            small.loaded(EDITION, Map.of(key, StoredRow.NEVER_WRITTEN));
            small.write(state, Version.of(1, i), row(i), 2, 2);
        }
        small.flush(0, List::of);
        assertThat(small.bytes()).isGreaterThan(20 * 300);
        assertThat(small.dirtyBytes()).isPositive();
        List<RowWrite> cut = small.unwritten(2, 0, 0);
        assertThat(cut).hasSize(20);
        assertThat(small.dirtyBytes()).isZero();
        small.durable(cut, 2);
        assertThat(small.bytes()).as("one is left").isBetween(300L, 1_000L);
    }

    @Test
    void whatIsNotWrittenBehindStaysHoweverMuchItTakesAndStopsMoreFromBeingTaken() {
        RowMemory small = new RowMemory(turn::emit, 1, 2_000, EDITION, 0);
        for (int i = 0; i < 5; i++) {
            RowKey key = new RowKey("t", "r" + i);
            RowState state = small.state(key);
            small.loaded(EDITION, Map.of(key, StoredRow.NEVER_WRITTEN));
            small.write(state, Version.of(1, i), row(i), 2, 2);
        }
        small.flush(0, List::of);
        assertThat(small.isFull()).isTrue();
        small.prefetch(new TreeSet<>(List.of(A)));
        turn.end();
        begin();
        small.flush(0, List::of);
        assertThat(turn.end()).as("nothing is read in advance").isEmpty();
        small.durable(small.unwritten(2, 0, 0), 2);
        assertThat(small.isFull()).isFalse();
    }

    /** Before much was read nobody knows what rows take; those that are here do not wait for that. */
    @Test
    void rowsInMemoryAreExpectedToTakeWhatTheyTake() {
        RowMemory fresh = new RowMemory(turn::emit, 100, 1_000_000, EDITION, 0);
        fresh.state(A);
        fresh.loaded(EDITION, Map.of(A, new StoredRow(1, row(1))));
        Expected hot = Expected.NOTHING;
        for (int i = 0; i < 50; i++) {
            hot = hot.plus(fresh.expected(List.of(A)));
        }
        assertThat(hot.unread()).isZero();
        assertThat(fresh.areMany(hot)).isFalse();
        assertThat(fresh.areMany(fresh.expected(List.of(A, SESSION, new RowKey("t", "other")))))
                .as("of what may be large")
                .isTrue();
        fresh.expect(hot);
        assertThat(fresh.isBooked()).isFalse();
        assertThat(fresh.expectedBytes()).isEqualTo(hot.bytes());
        fresh.met(hot);
        assertThat(fresh.expectedBytes()).isZero();
    }

    @Test
    void manyVersionsOfARowThatNobodyReadsTakeNoMoreThanOne() {
        loaded(A, StoredRow.NEVER_WRITTEN);
        write(A, 1, row(1));
        long one = memory.bytes();
        for (int entry = 2; entry < 100; entry++) {
            write(A, entry, row(entry));
        }
        assertThat(memory.bytes()).isBetween(one - 100, one + 100);
        memory.jump(EDITION + 1, 100);
        assertThat(memory.bytes()).isZero();
        assertThat(memory.dirtyBytes()).isZero();
    }

    @Test
    void aVersionStaysThatIsReadAsOfACutAlthoughLaterOnesGo() {
        RowState state = loaded(A, StoredRow.NEVER_WRITTEN);
        for (int entry = 1; entry < 6; entry++) {
            memory.write(state, Version.of(entry, 0), row(entry), entry + 1, 3);
        }

        assertThat(state.asOf(3).row()).isEqualTo(row(2));
        assertThat(state.asOf(6).row()).isEqualTo(row(5));
        assertThat(memory.bytes()).isEqualTo(bytesOf(row(2), row(5)));
    }

    private static long bytesOf(Row older, Row newer) {
        RowState alone = new RowState(A);
        alone.load(new StoredRow(Version.of(2, 0), older));
        alone.write(Version.of(5, 0), newer, 2, 2);
        return alone.weight();
    }

    @Test
    void whatWasReadInVainIsReadOnceMore() {
        var unused = memory.state(A);
        memory.flush(0, List.of());
        memory.readAgain(List.of(A));
        turn.begin(new Now(0, 0));
        memory.flush(0, List.of());

        assertThat(turn.end()).hasSize(1);
    }

    @Test
    void whereThereIsNoRoomOnlyRowsOfTheFirstTransactionAreRead() {
        RowMemory small = new RowMemory(turn::emit, 100, 1_000, EDITION, 0);
        var unused = small.state(A);
        var unusedToo = small.state(new RowKey("t", "b"));
        small.flush(0, List.of());
        assertThat(small.isShort()).isTrue();
        assertThat(turn.end()).isEmpty();

        small.flush(0, List.of(new RowKey("t", "b")));
        assertThat(turn.end())
                .containsExactly(
                        new Effect.ReadRows(EDITION, Version.endOf(0), new TreeSet<>(List.of(new RowKey("t", "b")))));
    }
}
