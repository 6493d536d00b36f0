/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Recovery;
import org.meteorshower.transactions.port.Settings;
import org.meteorshower.transactions.port.Turn;

/** Of a process that begins where positions 3 to 9 of its lane are settled and not executed. */
class BacklogTest {
    private static final int PAGE = 1_000;

    private final Members members = new Members(0, 1);
    private final Turn turn = new Turn(members);
    private final Durability durability = new Durability(turn, 7);
    private final LogReads reads = new LogReads(turn, PAGE);
    private final Lane lane = new Lane(
            0,
            members,
            Settings.DEFAULT,
            turn,
            durability,
            new Generations(List.of(1), dc -> {}),
            () -> true,
            new Recovery(
                    7,
                    1,
                    List.of(1),
                    java.util.Map.of(),
                    List.of(AcceptorState.EMPTY),
                    List.of(List.of()),
                    List.of(10L),
                    new Checkpoint(3, List.of(3L), List.of(3L), 0),
                    1,
                    1,
                    null,
                    0),
            (number, position, entry) -> {});
    private final Backlog backlog = new Backlog(lane, reads, 200, 3);

    @BeforeEach
    void begin() {
        turn.begin(new Now(0, 0));
    }

    private static Entry entry(long epoch) {
        return new Entry(epoch, 1, List.of());
    }

    private List<Effect> effects() {
        List<Effect> effects = turn.end();
        turn.begin(new Now(0, 0));
        return effects;
    }

    private static Effect read(long request, long from) {
        return new Effect.ReadLog(request, 0, from, 10, PAGE);
    }

    @Test
    void whatIsSettledAndNotExecutedIsReadInItsTurnAndNotBeyond() {
        assertThat(backlog.decided(3)).isNull();
        backlog.readOn(3);
        backlog.readOn(3);
        assertThat(effects()).as("one page at a time").containsExactly(read(1, 3));
        reads.read(1, 3, List.of(entry(3), entry(4)));
        assertThat(backlog.decided(3)).isEqualTo(entry(3));
        assertThat(backlog.decided(4)).isEqualTo(entry(4));
        assertThat(backlog.weight()).isEqualTo(entry(4).weight());

        backlog.readOn(4);
        assertThat(effects()).containsExactly(read(2, 5));
        reads.read(2, 5, Collections.nCopies(5, entry(5)));
        backlog.readOn(10);
        assertThat(effects()).as("what follows is held by the lane").isEmpty();
        assertThat(backlog.weight()).isZero();
        assertThat(backlog.isBroken()).isFalse();
    }

    @Test
    void noMoreIsReadThanThereIsRoomFor() {
        backlog.readOn(3);
        reads.read(1, 3, Collections.nCopies(4, entry(3)));
        effects();
        backlog.readOn(3);
        assertThat(effects()).as("256 bytes of 200").isEmpty();
        backlog.readOn(4);
        assertThat(effects()).containsExactly(read(2, 7));
    }

    @Test
    void aLogThatLacksWhatIsToBeExecutedIsBroken() {
        backlog.readOn(3);
        reads.read(1, 3, List.of());
        assertThat(backlog.isBroken()).isTrue();
        backlog.jump(12);
        assertThat(backlog.isBroken()).as("a snapshot covers it").isFalse();
    }

    @Test
    void whatWasAskedForBeforeASnapshotCameIsNotTaken() {
        backlog.readOn(3);
        backlog.jump(5);
        backlog.readOn(5);
        assertThat(effects()).containsExactly(read(1, 3), read(2, 5));
        reads.read(1, 3, List.of(entry(3)));
        assertThat(backlog.decided(5)).isNull();
        reads.read(2, 5, List.of(entry(5)));
        assertThat(backlog.decided(5)).isEqualTo(entry(5));
    }

    @Test
    void onlyAFewPagesAreReadAtOnce() {
        List<Long> read = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            assertThat(reads.read(0, i, 100, (from, entries) -> read.add(from))).isTrue();
        }
        assertThat(reads.read(0, 16, 100, (from, entries) -> read.add(from))).isFalse();
        reads.read(3, 2, List.of());
        reads.read(3, 2, List.of());
        assertThat(read).as("told once").containsExactly(2L);
        assertThat(reads.read(0, 16, 100, (from, entries) -> read.add(from))).isTrue();
    }
}
