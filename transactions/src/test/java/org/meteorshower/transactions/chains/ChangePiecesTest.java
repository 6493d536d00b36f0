/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.language.Evaluation;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.merge.Merged;
import org.meteorshower.transactions.port.ChangedRow;
import org.meteorshower.transactions.port.Changes;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Turn;

class ChangePiecesTest {
    private static final RowKey A = new RowKey("t", "a");
    private static final Row SET = new Row(new TreeMap<>(Map.of("v", Value.of(1))));
    private static final long START = 5;

    private final Turn turn = new Turn(new Members(0, 1));
    private final ChangeStream changes = new ChangeStream(10_000, START);
    private final ChangePieces pieces = new ChangePieces(turn, changes, 1_000, START);
    private long place = START;
    private long micros = 10_000_000;

    @BeforeEach
    void begin() {
        turn.begin(new Now(0, 1_000 * micros));
    }

    private void executed(Map<RowKey, Row> writes) {
        Merged merged = new Merged(place, 0, 0, 1, new Entry(1, 1, List.of()));
        changes.executed(merged, List.of(new Evaluation(new Outcome.Committed(List.of()), new TreeMap<>(writes))));
        place++;
    }

    private List<Effect> tick() {
        pieces.tick();
        List<Effect> effects = turn.end();
        begin();
        return effects;
    }

    private void pass(long byMicros) {
        micros += byMicros;
        turn.end();
        begin();
        tick();
    }

    private static Effect piece(long from, long below, long... places) {
        return new Effect.WriteChanges(new Changes(
                from,
                below,
                Arrays.stream(places)
                        .mapToObj(at -> new ChangedRow(at, 0, A, SET))
                        .toList()));
    }

    private void begun() {
        assertThat(tick()).containsExactly(piece(START, START));
        pieces.stored();
    }

    @Test
    void readersAreToldAtOnceWhereItBegins() {
        assertThat(tick()).containsExactly(piece(START, START));
        assertThat(tick()).isEmpty();
        pieces.stored();
        assertThat(tick()).as("once").isEmpty();
        assertThat(pieces.isStored(START)).isTrue();
    }

    @Test
    void onePieceIsUnderWayAtATimeAndTheNextHasWhatCameMeanwhile() {
        begun();
        executed(Map.of(A, SET));
        pass(1_000);
        executed(Map.of(A, SET));
        pass(5_000);
        executed(Map.of());
        assertThat(tick()).as("one at a time").isEmpty();

        pieces.stored();
        assertThat(tick()).containsExactly(piece(6, 8, 6));
    }

    @Test
    void thereIsAnIntervalBetweenThemButNotForACutThatWaits() {
        begun();
        executed(Map.of(A, SET));
        pass(999);
        assertThat(pieces.isStored(6)).isFalse();

        pieces.need(6);
        assertThat(tick()).containsExactly(piece(5, 6, 5));
        assertThat(pieces.isStored(6)).isFalse();
        pieces.stored();
        assertThat(pieces.isStored(6)).isTrue();
    }

    @Test
    void whereNothingIsSetOnlyACutHasItTold() {
        begun();
        executed(Map.of());
        pass(100_000);
        assertThat(tick()).isEmpty();

        pieces.need(6);
        assertThat(tick()).containsExactly(piece(5, 6));
    }

    @Test
    void muchIsNotWaitedWith() {
        begun();
        while (!changes.isDue()) {
            assertThat(tick()).isEmpty();
            executed(Map.of(A, SET));
        }
        assertThat(tick()).hasSize(1);
    }

    @Test
    void whatWasUnderWayWhenASnapshotCameIsNotTakenForWhatComesAfterIt() {
        tick();

        changes.jump(100);
        pieces.jump(100);
        assertThat(tick()).as("one at a time").isEmpty();
        pieces.stored();
        assertThat(pieces.isStored(100)).isFalse();

        assertThat(tick()).containsExactly(piece(100, 100));
        pieces.stored();
        assertThat(pieces.isStored(100)).isTrue();
    }

    @Test
    void whereThereIsNoStreamNobodyWaitsForIt() {
        ChangePieces none = new ChangePieces(turn, new ChangeStream(0, 0), 1_000, 0);
        none.need(7);
        none.tick();

        assertThat(turn.end()).isEmpty();
        assertThat(none.isStored(7)).isTrue();
    }
}
