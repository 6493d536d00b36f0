/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.lanes.Durability;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.port.Turn;

class SnapshotTakerTest {
    private static final Checkpoint OFFERED = at(20);
    private static final int EDITION = 4;
    private static final int GIVER = 1;
    private static final Map<RowKey, Row> BASES = Map.of(new RowKey("t", "was"), Row.ABSENT.with("v", Value.of(1)));

    private final Turn turn = new Turn(new Members(0, 3));
    private final Durability durability = new Durability(turn, 7);
    private final List<String> heard = new ArrayList<>();
    private long micros;
    private long batches;
    private SnapshotTaker taker = taker(EDITION, null);

    private static Checkpoint at(long count) {
        return new Checkpoint(count, List.of(count, 0L, 0L), List.of(count, 0L, 0L), 3);
    }

    private SnapshotTaker taker(int edition, Durable.Installing installing) {
        return new SnapshotTaker(
                turn,
                durability,
                new SnapshotTaker.Listener() {
                    @Override
                    public void arrived(Checkpoint checkpoint) {
                        heard.add("arrived " + checkpoint.count());
                    }

                    @Override
                    public void installed(Checkpoint checkpoint, int of) {
                        heard.add("installed " + checkpoint.count() + " as " + of);
                    }
                },
                () -> 0,
                edition,
                installing == null ? edition : installing.edition(),
                installing);
    }

    @BeforeEach
    void begin() {
        passes(10_000_000);
    }

    private void passes(long more) {
        micros += more;
        turn.begin(new Now(micros, 1_000 * micros));
    }

    /** What it wanted since this was last asked; what it wrote is durable afterwards. */
    private List<Effect> effects() {
        durability.flush();
        List<Effect> effects = turn.end();
        passes(0);
        if (effects.stream().anyMatch(Effect.Persist.class::isInstance)) {
            durability.persisted(++batches);
        }
        return effects;
    }

    private static Map<RowKey, StoredRow> rows(String place) {
        return Map.of(new RowKey("t", "after " + place), new StoredRow(3, Row.ABSENT.with("v", Value.of(1))));
    }

    private static Message.Page page(String place, String next) {
        return new Message.Page(OFFERED, place, rows(place), BASES, next);
    }

    private static Effect written(long request, String place) {
        return new Effect.WritePage(request, EDITION + 1, rows(place), BASES, 0);
    }

    private static Effect asks(String place) {
        return new Effect.Send(GIVER, new Message.AskPages(20, place, 8), false);
    }

    /** It is taking in what was offered, and has asked for the first pages. */
    private void takes() {
        taker.offered(GIVER, OFFERED, 10, true);
        effects();
        effects();
    }

    @Test
    void anEditionIsNotedBeforeAnyPageIsAskedFor() {
        taker.offered(GIVER, OFFERED, 10, true);

        assertThat(taker.isUsable()).isFalse();
        assertThat(effects())
                .containsExactly(new Effect.Persist(1, List.of(new Durable.Installing(OFFERED, EDITION + 1, 1, ""))));
        assertThat(effects()).containsExactly(asks(""));
    }

    /**
     * What is being written behind is of the edition that is about to be replaced, and its checkpoint is not done yet.
     */
    @Test
    void anOfferIsTakenOnlyWhileNothingIsBeingWrittenBehind() {
        taker.offered(GIVER, OFFERED, 10, false);
        assertThat(taker.isBusy()).isFalse();
        assertThat(taker.isUsable()).isTrue();
        assertThat(effects()).isEmpty();

        taker.offered(GIVER, OFFERED, 10, true);
        assertThat(taker.isBusy()).isTrue();
    }

    @Test
    void aSnapshotThatIsNotBeyondWhatIsExecutedIsNotTaken() {
        taker.offered(GIVER, OFFERED, 21, true);
        taker.offered(GIVER, OFFERED, 20, true);
        assertThat(taker.isBusy()).isFalse();

        taker.unusable();
        taker.offered(GIVER, OFFERED, 21, true);
        assertThat(taker.isBusy())
                .as("clients may have been told what is not in it")
                .isFalse();
        taker.offered(GIVER, OFFERED, 20, true);
        assertThat(taker.isBusy()).isTrue();
    }

    @Test
    void pagesMayComeInAnyOrderAndTwice() {
        takes();
        taker.received(GIVER, page("b", "c"));
        assertThat(effects()).isEmpty();
        taker.received(GIVER, page("", "a"));
        assertThat(effects()).containsExactly(written(1, ""));
        taker.received(GIVER, page("", "a"));
        taker.received(GIVER, page("a", "b"));
        assertThat(effects()).as("one at a time").isEmpty();

        taker.pageWritten(1);
        assertThat(effects()).containsExactly(written(2, "a"));
        taker.received(GIVER, page("a", "b"));
        taker.pageWritten(2);
        assertThat(effects()).containsExactly(written(3, "b"));
        taker.pageWritten(3);
        assertThat(effects()).isEmpty();

        taker.received(GIVER, page("c", ""));
        assertThat(effects()).containsExactly(written(4, "c"));
        taker.pageWritten(4);
        assertThat(effects()).containsExactly(new Effect.Persist(2, List.of(new Durable.Done(OFFERED, EDITION + 1))));
        assertThat(taker.isUsable()).isTrue();
        assertThat(taker.isBusy()).isFalse();
    }

    @Test
    void theEditionIsExecutedOnWhenThatItIsDoneIsDurable() {
        takes();
        taker.received(GIVER, page("", ""));
        taker.pageWritten(1);

        assertThat(heard).containsExactly("arrived 20");
        assertThat(taker.isUsable()).isFalse();
        effects();
        assertThat(heard).containsExactly("arrived 20", "installed 20 as " + (EDITION + 1));
        assertThat(taker.isUsable()).isTrue();
        assertThat(effects()).isEmpty();
    }

    @Test
    void aPageOfAnotherSnapshotIsNotMixedIn() {
        takes();
        taker.received(2, new Message.Page(at(21), "", Map.of(), Map.of(), ""));
        assertThat(effects()).isEmpty();
    }

    @Test
    void whatALateWriteTellsOfIsNotTakenForThePageThatIsBeingWritten() {
        takes();
        taker.received(GIVER, page("", "a"));
        effects();
        taker.pageWritten(7);
        taker.received(GIVER, page("a", ""));
        assertThat(effects()).isEmpty();
    }

    @Test
    void moreIsAskedForWhenWhatWasAskedForIsWritten() {
        takes();
        for (int i = 0; i < 8; i++) {
            taker.received(GIVER, page(i == 0 ? "" : "p" + i, "p" + (i + 1)));
            effects();
            taker.pageWritten(i + 1);
        }
        assertThat(effects()).containsExactly(asks("p8"));
    }

    @Test
    void whatIsLostOnTheWayIsAskedForAgain() {
        takes();
        passes(900_000);
        taker.tick();
        assertThat(effects()).isEmpty();
        passes(200_000);
        taker.tick();
        assertThat(effects()).containsExactly(asks(""));
    }

    @Test
    void howFarItHasComeIsNotedFromTimeToTime() {
        takes();
        List<Effect> all = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            taker.received(GIVER, page(i == 0 ? "" : "p" + i, "p" + (i + 1)));
            taker.pageWritten(i + 1);
            all.addAll(effects());
        }
        assertThat(all)
                .filteredOn(Effect.Persist.class::isInstance)
                .containsExactly(
                        new Effect.Persist(2, List.of(new Durable.Installing(OFFERED, EDITION + 1, 2, "p16"))));
    }

    @Test
    void whatACrashHasCutShortIsResumedWhereItWas() {
        taker = taker(EDITION, new Durable.Installing(OFFERED, EDITION + 1, 2, "p16"));
        assertThat(taker.isUsable()).isFalse();
        assertThat(taker.isBusy()).isTrue();
        taker.tick();
        passes(1_100_000);
        taker.tick();
        // Who gives it is not known any more: one of the others.
        assertThat(effects())
                .containsExactlyInAnyOrder(
                        new Effect.Send(1, new Message.AskPages(20, "p16", 8), false),
                        new Effect.Send(2, new Message.AskPages(20, "p16", 8), false));

        taker.received(2, page("p16", ""));
        assertThat(effects()).containsExactly(written(1, "p16"));
        taker.pageWritten(1);
        effects();
        assertThat(heard).contains("installed 20 as " + (EDITION + 1));
    }

    /** What was half filled may be written to by an earlier process still: the next edition is another one. */
    @Test
    void whoeverGivesNothingMoreIsGivenUpForAnotherOffer() {
        takes();
        taker.received(GIVER, page("", "a"));
        taker.pageWritten(1);
        effects();
        taker.offered(2, at(30), 10, true);
        assertThat(effects()).as("it may still come").isEmpty();

        passes(5_100_000);
        taker.offered(2, at(30), 10, true);

        assertThat(effects())
                .containsExactly(new Effect.Persist(2, List.of(new Durable.Installing(at(30), EDITION + 2, 1, ""))));
        assertThat(effects()).containsExactly(new Effect.Send(2, new Message.AskPages(30, "", 8), false));
    }

    @Test
    void aDiskWithoutAnEditionIsNotExecutedOn() {
        assertThat(taker(0, null).isUsable()).isFalse();
        assertThat(taker.isUsable()).isTrue();
        taker.unusable();
        assertThat(taker.isUsable()).isFalse();
    }
}
