/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.chains.RowMemory;
import org.meteorshower.transactions.lanes.Durability;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.StoredRow;
import org.meteorshower.transactions.port.Turn;

class CheckpointsTest {
    private static final Checkpoint FIRST = Checkpoint.first(1);
    private static final Checkpoint NEXT = new Checkpoint(5, List.of(5L), List.of(9L), 3);

    private final Turn turn = new Turn(new Members(0, 1));
    private final Durability durability = new Durability(turn, 7);
    private final RowMemory memory = new RowMemory(turn, 10);
    private final Checkpoints checkpoints = new Checkpoints(turn, durability, memory, 1_000, FIRST);

    private List<Effect> step() {
        durability.flush();
        List<Effect> effects = turn.end();
        turn.begin(new Now(0, 10_000_000));
        return effects;
    }

    @Test
    void rowsGoToTheirTablesAfterTheRedoRecordAndBeforeTheCheckpointIsDone() {
        turn.begin(new Now(0, 10_000_000));
        checkpoints.tick(NEXT);
        assertThat(step()).containsExactly(new Effect.Persist(1, List.of(new Durable.Redo(NEXT, Map.of()))));
        durability.persisted(1);
        assertThat(step()).containsExactly(new Effect.WriteRows(1, Map.of()));
        assertThat(checkpoints.done()).isEqualTo(FIRST);
        assertThat(checkpoints.written()).isEqualTo(5);
        checkpoints.rowsWritten(1);
        assertThat(step()).containsExactly(new Effect.Persist(2, List.of(new Durable.Done(NEXT))));
        assertThat(checkpoints.done()).isEqualTo(FIRST);
        durability.persisted(2);

        assertThat(checkpoints.done()).isEqualTo(NEXT);
        assertThat(checkpoints.isUnderWay()).isFalse();
    }

    @Test
    void whatACrashCutShortIsWrittenAgain() {
        turn.begin(new Now(0, 0));
        Map<RowKey, StoredRow> rows =
                Map.of(new RowKey("t", "a"), new StoredRow(4_096, Row.ABSENT.with("v", Value.of(1))));
        checkpoints.resume(new Durable.Redo(NEXT, rows));

        assertThat(step()).containsExactly(new Effect.WriteRows(1, rows));
    }
}
