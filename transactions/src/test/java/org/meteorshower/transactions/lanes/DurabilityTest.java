/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.Now;
import org.meteorshower.transactions.port.Durable;
import org.meteorshower.transactions.port.Effect;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Turn;

class DurabilityTest {
    private final Turn turn = new Turn(new Members(0, 3));
    private final Durability durability = new Durability(turn, 7);
    private final List<Long> done = new ArrayList<>();

    @BeforeEach
    void begin() {
        turn.begin(new Now(0, 0));
    }

    private void write(long ballot) {
        durability.write(new Durable.Promise(0, ballot), () -> done.add(ballot));
        durability.flush();
    }

    @Test
    void whatGathersWhileBatchesAreUnderWayLeavesTogether() {
        for (long ballot = 1; ballot <= 7; ballot++) {
            write(ballot);
        }
        assertThat(turn.end()).hasSize(4);
        durability.persisted(1);
        durability.flush();

        assertThat(done).containsExactly(1L);
        assertThat(((Effect.Persist) turn.end().get(4)).records())
                .containsExactly(new Durable.Promise(0, 5), new Durable.Promise(0, 6), new Durable.Promise(0, 7));
    }

    @Test
    void anotherProcessInTheFenceIsNoticed() {
        assertThat(durability.isFenced(7)).isFalse();
        assertThat(durability.isFenced(8)).isTrue();
    }
}
