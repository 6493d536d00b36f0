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
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Turn;

class CheckpointsTest {
    private static final int EDITION = 3;
    private static final Checkpoint FIRST = Checkpoint.first(1);
    private static final Checkpoint NEXT = at(5);
    private static final Checkpoint LATER = at(9);

    private final Turn turn = new Turn(new Members(0, 1));
    private final Durability durability = new Durability(turn, 7);
    private final RowMemory memory = new RowMemory(turn::emit, 10, 1_000_000, EDITION, 0);
    private long nanos = 10_000_000;
    private boolean settled = true;
    private boolean urgent;
    private final Checkpoints checkpoints = new Checkpoints(
            turn,
            durability,
            memory,
            new ChangePieces(turn, new ChangeStream(0, 0), 500, 0),
            NoRowsExpire.in(turn, memory),
            1_000,
            100_000,
            () -> Long.MAX_VALUE,
            checkpoint -> settled,
            () -> urgent,
            FIRST,
            EDITION);

    private static Checkpoint at(long count) {
        return new Checkpoint(count, List.of(count), List.of(9L), 3);
    }

    @BeforeEach
    void begin() {
        turn.begin(new Now(0, nanos));
    }

    private List<Effect> step() {
        durability.flush();
        List<Effect> effects = turn.end();
        begin();
        return effects;
    }

    private void pass(long micros) {
        nanos += 1_000 * micros;
        step();
    }

    private void cut(Checkpoint checkpoint, long tookMicros) {
        checkpoints.tick(checkpoint, true);
        step();
        pass(tookMicros);
        checkpoints.rowsWritten(1);
        step();
        durability.persisted(1);
        assertThat(checkpoints.done()).isEqualTo(checkpoint);
    }

    @Test
    void aCheckpointIsDoneWhenItsRowsAreInTheTablesAndThatIsDurable() {
        checkpoints.tick(NEXT, true);
        assertThat(step()).containsExactly(new Effect.WriteRows(1, EDITION, List.of()));
        assertThat(checkpoints.done()).isEqualTo(FIRST);
        assertThat(checkpoints.isUnderWay()).isTrue();

        checkpoints.rowsWritten(1);
        assertThat(step()).containsExactly(new Effect.Persist(1, List.of(new Durable.Done(NEXT, EDITION))));
        assertThat(checkpoints.done()).isEqualTo(FIRST);

        durability.persisted(1);
        assertThat(checkpoints.done()).isEqualTo(NEXT);
        assertThat(checkpoints.isUnderWay()).isFalse();
    }

    @Test
    void nothingIsSaidToBeDoneBeforeItsRowsAreInTheTables() {
        checkpoints.tick(NEXT, true);
        step();

        checkpoints.tick(LATER, true);
        checkpoints.rowsWritten(0);

        assertThat(step()).as("one cut at a time").isEmpty();
    }

    /** A restart goes on from it by reading the log from there on, which then has to hold what was decided. */
    @Test
    void nothingIsSaidToBeDoneBeforeTheLogHoldsWhatItWasMadeOf() {
        settled = false;
        checkpoints.tick(NEXT, true);
        step();
        checkpoints.rowsWritten(1);
        checkpoints.tick(NEXT, true);
        assertThat(step()).isEmpty();

        settled = true;
        checkpoints.tick(LATER, true);

        assertThat(step()).containsExactly(new Effect.Persist(1, List.of(new Durable.Done(NEXT, EDITION))));
        checkpoints.tick(LATER, true);
        assertThat(step()).as("said once").isEmpty();
    }

    @Test
    void nothingIsWrittenWhereNothingHasBeenExecutedOrMayBeWritten() {
        checkpoints.tick(FIRST, true);
        checkpoints.tick(NEXT, false);
        assertThat(step()).isEmpty();
    }

    @Test
    void aCutThatTookLongIsFollowedByARest() {
        cut(NEXT, 2_000);

        pass(5_999);
        checkpoints.tick(LATER, true);
        assertThat(checkpoints.isUnderWay()).isFalse();

        pass(1);
        checkpoints.tick(LATER, true);
        assertThat(checkpoints.isUnderWay()).isTrue();
    }

    @Test
    void noRestIsTakenWhereMuchWaits() {
        cut(NEXT, 2_000);
        urgent = true;

        checkpoints.tick(LATER, true);

        assertThat(checkpoints.isUnderWay()).isTrue();
    }

    @Test
    void whatWasUnderWayWhenASnapshotCameIsNotDone() {
        checkpoints.tick(NEXT, true);
        step();

        checkpoints.jump(LATER, EDITION + 1);
        checkpoints.rowsWritten(1);

        assertThat(step()).isEmpty();
        assertThat(checkpoints.done()).isEqualTo(LATER);
        assertThat(checkpoints.edition()).isEqualTo(EDITION + 1);
    }
}
