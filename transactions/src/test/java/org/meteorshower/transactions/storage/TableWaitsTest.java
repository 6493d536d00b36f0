/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.chains.ChangePieces;
import org.meteorshower.transactions.chains.ChangeStream;
import org.meteorshower.transactions.chains.RowMemory;
import org.meteorshower.transactions.lanes.Durability;
import org.meteorshower.transactions.port.Answer;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.Turn;

class TableWaitsTest {
    private static final long DEADLINE = 2_000_000_000;
    private static final Checkpoint FIVE = new Checkpoint(5, List.of(5L), List.of(9L), 3);
    private static final Checkpoint NINE = new Checkpoint(9, List.of(9L), List.of(9L), 3);

    private final Turn turn = new Turn(new Members(0, 1));
    private final RowMemory memory = new RowMemory(turn::emit, 10, 1_000_000, Recovery.FIRST_EDITION, 0);
    private final Checkpoints checkpoints = new Checkpoints(
            turn,
            new Durability(turn, 7),
            memory,
            new ChangePieces(turn, new ChangeStream(0, 0), 500, 0),
            NoRowsExpire.in(turn, memory),
            1_000,
            100_000,
            () -> Long.MAX_VALUE,
            checkpoint -> false,
            () -> true,
            Checkpoint.first(1),
            Recovery.FIRST_EDITION);
    private final EarlierEditions earlier = new EarlierEditions(turn);
    private final TableWaits waits = new TableWaits(turn, checkpoints, earlier);

    @BeforeEach
    void begin() {
        at(10_000_000);
    }

    private void at(long nanos) {
        turn.begin(new Now(0, nanos));
    }

    private List<Effect> effects() {
        List<Effect> effects = turn.end();
        begin();
        return effects;
    }

    private void cut(Checkpoint checkpoint, long number) {
        checkpoints.tick(checkpoint, true);
        checkpoints.rowsWritten(number);
        effects();
    }

    @Test
    void whoWaitsIsAnsweredOnceTheRowsAreInTheTablesThoughTheCheckpointIsNotDone() {
        waits.add(1, 5, DEADLINE);
        waits.look(true);
        assertThat(effects()).isEmpty();

        checkpoints.tick(FIVE, true);
        waits.look(true);
        assertThat(effects()).containsExactly(new Effect.WriteRows(1, Recovery.FIRST_EDITION, List.of()));
        checkpoints.rowsWritten(1);
        waits.look(true);

        assertThat(effects()).containsExactly(new Effect.Reply(1, new Answer.Snapshot(List.of(), 5, 0)));
        assertThat(checkpoints.done()).isEqualTo(Checkpoint.first(1));
        waits.look(true);
        assertThat(effects()).as("once").isEmpty();
    }

    @Test
    void aCutIsAskedForOnceItWouldBeWhatSomebodyWaitsFor() {
        assertThat(waits.areFor(9)).isFalse();
        waits.add(1, 5, DEADLINE);
        assertThat(waits.areFor(4)).isFalse();
        assertThat(waits.areFor(5)).isTrue();
        cut(FIVE, 1);
        assertThat(waits.areFor(9)).isFalse();
    }

    @Test
    void nothingIsSaidOfTablesThatMayShowWhatWasDeletedElsewhere() {
        checkpoints.jump(NINE, 2);
        earlier.forget(NINE, 2);
        assertThat(effects()).containsExactly(new Effect.ForgetEditions(2, 9));
        waits.add(1, 5, DEADLINE);
        waits.look(true);
        assertThat(effects()).isEmpty();

        earlier.forgotten(2);
        waits.look(false);
        assertThat(effects()).as("the rows are being replaced").isEmpty();
        waits.look(true);
        assertThat(effects()).containsExactly(new Effect.Reply(1, new Answer.Snapshot(List.of(), 9, 0)));
    }

    @Test
    void anEarlierProcessMayHaveLeftSomethingOfEarlierEditions() {
        earlier.tick(FIVE, 2);
        earlier.tick(FIVE, 2);
        assertThat(effects()).containsExactly(new Effect.ForgetEditions(2, 5));
        assertThat(earlier.areForgotten(2)).isFalse();
        assertThat(earlier.areForgotten(Recovery.FIRST_EDITION)).isTrue();
    }

    @Test
    void whoWaitsInVainIsTold() {
        waits.add(1, 5, DEADLINE);
        at(DEADLINE + 1);
        waits.look(true);
        assertThat(effects()).singleElement().isInstanceOfSatisfying(Effect.Reply.class, reply -> assertThat(
                        reply.answer())
                .isEqualTo(new Answer.Refused(Answer.Refusal.BEHIND, "the tables here hold 0, asked for: 5")));
        waits.add(2, 5, DEADLINE);
        waits.abandon();
        assertThat(effects()).singleElement().isInstanceOfSatisfying(Effect.Reply.class, reply -> assertThat(
                        ((Answer.Refused) reply.answer()).refusal())
                .isEqualTo(Answer.Refusal.NOT_READY));
    }

    @Test
    void moreThanMayWaitAreTurnedAway() {
        for (int client = 1; client <= 10_001; client++) {
            waits.add(client, 5, DEADLINE);
        }
        assertThat(effects()).singleElement().isInstanceOfSatisfying(Effect.Reply.class, reply -> {
            assertThat(reply.client()).isEqualTo(10_001);
            assertThat(((Answer.Refused) reply.answer()).refusal()).isEqualTo(Answer.Refusal.OVERLOADED);
        });
    }
}
