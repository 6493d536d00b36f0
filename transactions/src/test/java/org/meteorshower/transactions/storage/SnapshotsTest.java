/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.chains.RowMemory;
import org.meteorshower.transactions.lanes.Durability;
import org.meteorshower.transactions.log.Version;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.Turn;

class SnapshotsTest {
    private final Turn turn = new Turn(new Members(0, 2));
    private final Durability durability = new Durability(turn, 7);
    private final RowMemory memory = new RowMemory(turn, 10);
    private final Snapshots snapshots = new Snapshots(turn, durability, memory, true, checkpoint -> {});

    @BeforeEach
    void begin() {
        turn.begin(new Now(0, 10_000_000));
    }

    private static Message.Snapshot snapshot(long count) {
        return new Message.Snapshot(new Checkpoint(count, List.of(count, 0L), List.of(count, 0L), 3), Map.of());
    }

    @Test
    void tablesThatHoldTheFutureAreNotExecutedOn() {
        assertThat(snapshots.isTablesUsable()).isTrue();
        snapshots.tablesAhead(Version.of(20, 0));

        assertThat(snapshots.isTablesUsable()).isFalse();
    }

    @Test
    void aSnapshotThatIsNotBeyondWhatTheTablesHoldIsNotTakenIn() {
        snapshots.tablesAhead(Version.of(20, 3));

        assertThat(snapshots.received(snapshot(20), 10, true)).isFalse();
        assertThat(snapshots.received(snapshot(21), 10, true)).isTrue();
        durability.flush();
        assertThat(turn.end())
                .containsExactly(new Effect.Persist(
                        1, List.of(new Durable.Installing(snapshot(21).checkpoint()))));
    }

    @Test
    void tablesThatHoldTheFutureAreNotGivenToOthers() {
        snapshots.askedBy(1);
        snapshots.tick(Checkpoint.first(2), true);
        snapshots.tablesAhead(Version.of(20, 3));
        snapshots.tablesRead(1, Map.of());
        snapshots.askedBy(1);
        snapshots.tick(Checkpoint.first(2), true);

        assertThat(turn.end()).containsExactly(new Effect.ReadTables(1));
    }
}
