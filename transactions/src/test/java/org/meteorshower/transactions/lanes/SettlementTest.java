/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Turn;

class SettlementTest {
    private final Turn turn = new Turn(new Members(0, 3));
    private final Durability durability = new Durability(turn, 7);
    private final Settlement settlement = new Settlement(1, durability, 10);

    private List<Effect> written() {
        durability.flush();
        List<Effect> effects = turn.end();
        turn.begin(new Now(0, 0));
        return effects;
    }

    @Test
    void allBelowIsSettledWithoutAGap() {
        settlement.settled(11);
        settlement.settled(13);
        assertThat(settlement.below()).isEqualTo(10);
        settlement.settled(10);
        assertThat(settlement.below()).isEqualTo(12);
        settlement.settled(10);
        settlement.settled(12);
        assertThat(settlement.below()).isEqualTo(14);
    }

    @Test
    void aSnapshotSettlesWhatItCovers() {
        settlement.settled(12);
        settlement.settled(20);
        settlement.skipTo(20);
        assertThat(settlement.below()).isEqualTo(21);
        settlement.skipTo(15);
        assertThat(settlement.below()).isEqualTo(21);
    }

    @Test
    void howFarItIsIsNotedOnce() {
        settlement.note();
        assertThat(written()).isEmpty();
        settlement.settled(10);
        settlement.note();
        settlement.note();
        assertThat(written()).containsExactly(new Effect.Persist(1, List.of(new Durable.Settled(1, 11))));
    }
}
