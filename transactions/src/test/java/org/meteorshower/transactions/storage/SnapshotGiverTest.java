/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.chains.ChangePieces;
import org.meteorshower.transactions.chains.ChangeStream;
import org.meteorshower.transactions.chains.RowMemory;
import org.meteorshower.transactions.lanes.Durability;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.port.Turn;

class SnapshotGiverTest {
    private static final int EDITION = 2;
    private static final int PAGE_BYTES = 1_000;
    private static final Map<RowKey, StoredRow> ROWS = Map.of(new RowKey("t", "a"), new StoredRow(7, Row.ABSENT));
    private static final Map<RowKey, Row> BASES = Map.of(new RowKey("t", "was"), Row.ABSENT.with("v", Value.of(1)));

    private final Turn turn = new Turn(new Members(0, 3));
    private final Durability durability = new Durability(turn, 7);
    private final RowMemory memory = new RowMemory(turn::emit, 10, 1_000_000, EDITION, 0);
    private long logFrom;
    private final Checkpoints checkpoints = new Checkpoints(
            turn,
            durability,
            memory,
            new ChangePieces(turn, new ChangeStream(0, 0), 500, 0),
            NoRowsExpire.in(turn, memory),
            1_000,
            100_000,
            this::pinned,
            checkpoint -> true,
            () -> false,
            at(20),
            EDITION);
    private final SnapshotGiver giver =
            new SnapshotGiver(turn, checkpoints, checkpoint -> checkpoint.count() >= logFrom, PAGE_BYTES);
    private long micros;

    private static Checkpoint at(long count) {
        return new Checkpoint(count, List.of(count, count + 1, count + 2), List.of(9L, 9L, 9L), 3);
    }

    private long pinned() {
        return giver.oldestPinned();
    }

    @BeforeEach
    void begin() {
        passes(10_000_000);
    }

    private void passes(long more) {
        micros += more;
        turn.begin(new Now(micros, 1_000 * micros));
    }

    private List<Effect> effects() {
        List<Effect> effects = turn.end();
        passes(0);
        return effects;
    }

    private static Effect offer(int to, long count) {
        return new Effect.Send(to, new Message.Offer(at(count)), false);
    }

    private static Effect reads(long request, String place) {
        return new Effect.ReadPage(request, EDITION, Version.endOf(20), place, PAGE_BYTES, true);
    }

    private static Effect page(int to, String place, String next) {
        return new Effect.Send(to, new Message.Page(at(20), place, ROWS, BASES, next), false);
    }

    private void isDone(long count) {
        checkpoints.jump(at(count), EDITION);
    }

    @Test
    void whoLagsIsOfferedTheLastCheckpointWhichStaysPinned() {
        assertThat(giver.oldestPinned()).isEqualTo(Long.MAX_VALUE);
        assertThat(giver.oldestPinned(1)).isEqualTo(Long.MAX_VALUE);
        giver.askedBy(2);
        assertThat(effects()).containsExactly(offer(2, 20));
        isDone(30);

        giver.askedBy(2);

        assertThat(effects()).containsExactly(offer(2, 20));
        assertThat(giver.oldestPinned()).isEqualTo(20);
        assertThat(giver.oldestPinned(1)).as("what the log has to keep").isEqualTo(21);
    }

    @Test
    void theOldestOfSeveralPinsCounts() {
        giver.askedBy(2);
        isDone(30);
        giver.askedBy(1);
        effects();
        assertThat(giver.oldestPinned()).isEqualTo(20);
        giver.received(2, new Message.AskPages(19, "", 8));
        assertThat(effects()).containsExactly(offer(2, 30));
        assertThat(giver.oldestPinned()).isEqualTo(30);
    }

    @Test
    void pagesComeOneAfterTheOtherAndNoMoreThanWereAskedFor() {
        giver.askedBy(2);
        effects();
        giver.received(2, new Message.AskPages(20, "", 2));
        assertThat(effects()).containsExactly(reads(1, ""));
        giver.pageRead(1, ROWS, BASES, "a");
        assertThat(effects()).containsExactly(page(2, "", "a"), reads(2, "a"));
        giver.pageRead(2, ROWS, BASES, "b");
        assertThat(effects()).containsExactly(page(2, "a", "b"));

        giver.received(2, new Message.AskPages(20, "b", 2));
        assertThat(effects()).containsExactly(reads(3, "b"));
        giver.pageRead(3, ROWS, BASES, "");
        assertThat(effects()).as("the last one").containsExactly(page(2, "b", ""));
    }

    /** Who asks again has lost something, and does not want what it had asked for before. */
    @Test
    void whatWasReadForAnEarlierQuestionIsNotTold() {
        giver.askedBy(2);
        giver.received(2, new Message.AskPages(20, "", 2));
        giver.received(2, new Message.AskPages(20, "k", 2));
        assertThat(effects()).containsExactly(offer(2, 20), reads(1, ""), reads(2, "k"));
        giver.pageRead(1, ROWS, BASES, "a");
        assertThat(effects()).isEmpty();
        giver.pageRead(2, ROWS, BASES, "l");
        assertThat(effects()).containsExactly(page(2, "k", "l"), reads(3, "l"));
    }

    /** A snapshot is worth nothing without what comes after it. */
    @Test
    void aPinWhoseLogIsGoneIsMadeAnew() {
        giver.askedBy(2);
        isDone(30);
        logFrom = 25;
        effects();

        giver.askedBy(2);

        assertThat(effects()).containsExactly(offer(2, 30));
        assertThat(giver.oldestPinned()).isEqualTo(30);
    }

    @Test
    void whoWantsASnapshotThatIsGoneIsOfferedAnother() {
        giver.received(2, new Message.AskPages(12, "k", 8));
        assertThat(effects()).containsExactly(offer(2, 20));
    }

    @Test
    void aPinGoesWhenItsTakerWasNotHeardOfForLong() {
        giver.askedBy(2);
        passes(59_000_000);
        giver.tick();
        assertThat(giver.oldestPinned()).isEqualTo(20);
        passes(2_000_000);
        giver.tick();
        assertThat(giver.oldestPinned()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void tablesThatAreBeingReplacedAreGivenToNobody() {
        giver.askedBy(2);
        giver.received(2, new Message.AskPages(20, "", 2));
        effects();
        giver.stop();
        giver.pageRead(1, ROWS, BASES, "a");
        assertThat(effects()).isEmpty();
        assertThat(giver.oldestPinned()).isEqualTo(Long.MAX_VALUE);
    }
}
