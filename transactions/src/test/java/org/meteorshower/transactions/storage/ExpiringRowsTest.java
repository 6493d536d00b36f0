/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.chains.RowMemory;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Event;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.RowWrite;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.port.Turn;

class ExpiringRowsTest {
    private static final int EDITION = 3;
    private static final long MINUTE = 60_000;

    /** 2023, in milliseconds. */
    private static final long BEGIN = 1_700_000_000_000L;

    private static final RowKey A = new RowKey("t", "a");
    private static final RowKey B = new RowKey("t", "b");

    private final Turn turn = new Turn(new Members(0, 3));
    private final RowMemory memory = new RowMemory(turn::emit, 10, 1_000_000, EDITION, 0);
    private final List<Request.ExpireRows> proposed = new ArrayList<>();
    private boolean isHeld;
    private boolean isTimeKnown = true;
    private long millis;
    private final ExpiringRows rows = over(memory);

    private ExpiringRows over(RowMemory of) {
        return new ExpiringRows(turn, this::alignedMicros, () -> EDITION, of, new ExpiringRows.Proposer() {
            @Override
            public void propose(Request.ExpireRows request) {
                proposed.add(request);
            }

            @Override
            public boolean holds(Request.ExpireRows request) {
                return isHeld;
            }
        });
    }

    private OptionalLong alignedMicros() {
        return isTimeKnown ? OptionalLong.of(1_000 * (BEGIN + millis)) : OptionalLong.empty();
    }

    @BeforeEach
    void begin() {
        at(1_000);
    }

    private void at(long to) {
        millis = to;
        turn.begin(new Now(0, 1_000_000 * to));
    }

    private List<Effect> tick() {
        rows.tick(true, 0);
        List<Effect> effects = turn.end();
        at(millis);
        return effects;
    }

    private static Effect.ReadDue reads(long request, long from, long below, long by) {
        return new Effect.ReadDue(request, EDITION, from, below, by, 500);
    }

    private void told(long request, List<RowKey> ended, long told, long next) {
        rows.dueRead(new Event.DueRead(request, ended, told, next), true, 0);
    }

    /** What an index tells in which there is nothing. */
    private void firstLook() {
        assertThat(tick()).containsExactly(reads(1, 0, BEGIN + 1_000, BEGIN + 1_000));
        told(1, List.of(), BEGIN + 1_000, Row.NEVER);
    }

    private RowWrite due(RowKey key, long at) {
        memory.prefetch(new java.util.TreeSet<>(List.of(key)));
        return new RowWrite(key, new StoredRow(5, Row.ABSENT), 0, null, 0).dueAt(at);
    }

    @Test
    void whereNothingIsEverDueTheTablesAreAskedOnce() {
        firstLook();
        at(5 * MINUTE);
        assertThat(tick()).isEmpty();
        assertThat(rows.lookedAtBelow()).isEqualTo(BEGIN + 5 * MINUTE);
    }

    @Test
    void whatIsDueIsAskedForWhenItsTimeHasComeAndProposed() {
        firstLook();
        rows.cutBegins(List.of(due(A, BEGIN + 3_000)));
        rows.cutIsWritten();
        at(2_000);
        assertThat(tick()).isEmpty();
        at(3_100);
        assertThat(tick()).containsExactly(reads(2, BEGIN + 3_000, BEGIN + 3_100, BEGIN + 3_100));
        told(2, List.of(A), BEGIN + 3_100, BEGIN + MINUTE);

        assertThat(proposed).containsExactly(new Request.ExpireRows(List.of(A), BEGIN + 3_100));
        at(4_000);
        rows.executed(proposed.get(0));
        assertThat(tick()).as("nothing is due before the next minute").isEmpty();
        at(MINUTE + 10);
        assertThat(tick()).contains(reads(3, BEGIN + MINUTE, BEGIN + MINUTE + 10, BEGIN + MINUTE + 10));
    }

    @Test
    void itIsToldForHowLongValuesMayHaveBeenOver() {
        firstLook();
        at(2_000);
        assertThat(rows.behindMicros()).as("nothing was ever to end").isZero();

        rows.cutBegins(List.of(due(A, BEGIN + 3_000)));
        rows.cutIsWritten();
        at(3_100);
        tick();
        told(2, List.of(A), BEGIN + 3_100, BEGIN + MINUTE);
        isHeld = true;
        at(9_000);
        tick();
        assertThat(rows.behindMicros()).as("proposed, and not executed").isEqualTo(6_000_000);
        rows.executed(proposed.get(0));
        tick();
        assertThat(rows.behindMicros()).isZero();

        at(20_000);
        assertThat(rows.behindMicros()).as("not looked at since").isEqualTo(11_000_000);
        isTimeKnown = false;
        assertThat(rows.behindMicros()).isZero();
    }

    @Test
    void whoComesBehindOthersLeavesItToThemForAWhile() {
        firstLook();
        rows.cutBegins(List.of(due(A, BEGIN + 3_000)));
        rows.cutIsWritten();
        at(6_900);
        rows.tick(true, 2);
        assertThat(turn.end()).isEmpty();
        at(7_200);
        rows.tick(true, 2);
        assertThat(turn.end()).hasSize(1);
    }

    @Test
    void nothingIsAskedForWhereTheTimeIsNotKnownOrTheRowsAreNotWhole() {
        isTimeKnown = false;
        assertThat(tick()).isEmpty();
        isTimeKnown = true;
        at(2_000);
        rows.tick(false, 0);
        assertThat(turn.end()).isEmpty();
    }

    @Test
    void whatACutHasWrittenMeanwhileIsLookedAtAgain() {
        firstLook();
        rows.cutBegins(List.of(due(B, BEGIN + 2_000)));
        rows.cutIsWritten();
        rows.cutBegins(List.of(due(A, BEGIN + 2_000)));
        at(2_500);
        assertThat(tick()).containsExactly(reads(2, BEGIN + 2_000, BEGIN + 2_500, BEGIN + 2_500));
        rows.cutIsWritten();
        told(2, List.of(), BEGIN + 2_500, BEGIN + MINUTE);
        assertThat(rows.lookedAtBelow())
                .as("the tables may not have told of it")
                .isEqualTo(BEGIN + 2_000);
        at(3_000);
        assertThat(tick()).containsExactly(reads(3, BEGIN + 2_000, BEGIN + 3_000, BEGIN + 3_000));
    }

    /** The tables have told what comes next before it was noted. */
    @Test
    void whatIsNotedWhileTheTablesAreReadIsNotSkipped() {
        firstLook();
        rows.cutBegins(List.of(due(B, BEGIN + 2_000)));
        rows.cutIsWritten();
        at(2_500);
        tick();
        rows.cutBegins(List.of(due(A, BEGIN + 5_000)));
        rows.cutIsWritten();
        told(2, List.of(), BEGIN + 2_500, BEGIN + MINUTE);
        at(5_100);
        assertThat(tick()).containsExactly(reads(3, BEGIN + 5_000, BEGIN + 5_100, BEGIN + 5_100));
    }

    @Test
    void whatIsNotExecutedIsLookedForAgainUnlessItStillWaits() {
        firstLook();
        rows.cutBegins(List.of(due(A, BEGIN + 2_000)));
        rows.cutIsWritten();
        at(2_500);
        tick();
        told(2, List.of(A), BEGIN + 2_500, BEGIN + MINUTE);
        isHeld = true;
        at(8_000);
        assertThat(tick()).isEmpty();
        isHeld = false;
        at(8_300);
        assertThat(tick()).containsExactly(reads(3, BEGIN + 2_000, BEGIN + 8_300, BEGIN + 8_300));
        told(3, List.of(A), BEGIN + 8_300, BEGIN + MINUTE);
        assertThat(proposed).hasSize(2);
        rows.executed(proposed.get(1));
        at(20_000);
        assertThat(tick()).as("done").isEmpty();
    }

    @Test
    void whatIsProposedIsNotProposedBesides() {
        firstLook();
        rows.cutBegins(List.of(due(A, BEGIN + 2_000)));
        rows.cutIsWritten();
        at(2_500);
        tick();
        told(2, List.of(A), BEGIN + 2_500, BEGIN + 2_600);
        at(3_000);
        tick();
        told(3, List.of(A, B), BEGIN + 3_000, BEGIN + MINUTE);
        assertThat(proposed.get(1).rows()).containsExactly(B);
    }

    @Test
    void manyRowsAreProposedInParts() {
        List<RowKey> many =
                IntStream.range(0, 250).mapToObj(i -> new RowKey("t", "k" + i)).toList();
        RowMemory large = new RowMemory(turn::emit, 10, 1_000_000_000, EDITION, 0);
        ExpiringRows all = over(large);
        all.tick(true, 0);
        all.dueRead(new Event.DueRead(1, many, BEGIN + 500, BEGIN + 500), true, 0);
        assertThat(proposed)
                .flatExtracting(Request.ExpireRows::rows)
                .as("as few as rows could be large while none was read")
                .containsExactlyElementsOf(many);
        assertThat(proposed).allMatch(each -> each.rows().size() <= 100);
    }

    @Test
    void whatIsDoneIsForgottenByTheMinuteAndNotWhatIsUnderWay() {
        firstLook();
        rows.cutBegins(List.of(due(A, BEGIN + 2_000)));
        rows.cutIsWritten();
        at(2_500);
        tick();
        told(2, List.of(A), BEGIN + 2_500, BEGIN + 2 * MINUTE);
        isHeld = true;
        at(3 * MINUTE);
        assertThat(tick())
                .noneMatch(effect -> effect instanceof Effect.ForgetDue forget && forget.belowMillis() > BEGIN + 2_500);
        rows.executed(proposed.get(0));
        told(3, List.of(), BEGIN + 3 * MINUTE, BEGIN + 4 * MINUTE);
        at(3 * MINUTE + 300);
        assertThat(tick()).contains(new Effect.ForgetDue(BEGIN + 3 * MINUTE + 300));
    }

    @Test
    void aSnapshotBringsWhatMayBeDueAtOnce() {
        firstLook();
        at(9_000);
        tick();
        rows.jump();
        at(9_500);
        assertThat(tick()).contains(reads(2, BEGIN + 9_000, BEGIN + 9_500, BEGIN + 9_500));
        assertThat(new Effect.WritePage(
                                1, EDITION, Map.of(A, new StoredRow(5, Row.ABSENT)), Map.of(), rows.lookedAtBelow())
                        .writes()
                        .get(0)
                        .due())
                .isEqualTo(RowWrite.NOT_DUE);
    }

    @Test
    void whatOthersHaveWrittenIsLookedForWhereThatWasDoneBefore() {
        firstLook();
        rows.endsFrom(BEGIN + 400);
        at(2_000);

        assertThat(tick()).containsExactly(reads(2, BEGIN + 400, BEGIN + 2_000, BEGIN + 2_000));
    }

    @Test
    void whereOthersHaveWrittenNothingThatEndsNothingIsLookedFor() {
        firstLook();
        rows.endsFrom(Row.NEVER);
        at(2_000);

        assertThat(tick()).isEmpty();
    }

    @Test
    void rowsThatAreApartAreNotProposedTogether() {
        ExpiringRows apart = new ExpiringRows(
                turn,
                this::alignedMicros,
                () -> EDITION,
                memory,
                new ExpiringRows.Proposer() {
                    @Override
                    public void propose(Request.ExpireRows request) {
                        proposed.add(request);
                    }

                    @Override
                    public boolean holds(Request.ExpireRows request) {
                        return isHeld;
                    }
                },
                row -> row.equals(B) ? 1 : 0);
        apart.tick(true, 0);
        RowKey c = new RowKey("t", "c");
        apart.dueRead(new Event.DueRead(1, List.of(A, B, c), BEGIN + 1_000, Row.NEVER), true, 0);

        assertThat(proposed).flatExtracting(Request.ExpireRows::rows).containsExactly(A, c, B);
        assertThat(proposed).last().extracting(Request.ExpireRows::rows).isEqualTo(List.of(B));
    }
}
