/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator.servers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.meteorshower.transactions.simulator.servers.ServersThroughput.Costs;

/** What docs/decisions/chain-servers.md says of throughput: its table is made of these. */
class ServersThroughputTest {
    private static final Costs WHOLE_NODE = new Costs(75, 3, 4, 8, 13, 10, 12, 49);
    private static final Costs CORES_THREAD = new Costs(30, 3, 4, 6, 10, 10, 0, 0);

    private static final ServersThroughput TENTH_OVER_TWO = new ServersThroughput(0.1);

    @Test
    void aChainOverTwoRangesIsTwoMessages() {
        assertThat(new ServersThroughput(1).messagesEach()).isEqualTo(2);
        assertThat(new ServersThroughput(0).messagesEach()).isZero();
    }

    @Test
    void twoNodesDoAlmostTwiceAsMuchAsOne() {
        assertThat(TENTH_OVER_TWO.ratio(2, WHOLE_NODE)).isBetween(1.8, 2.0);
    }

    @Test
    void theSequencerIsTheNarrowPlaceOfThree() {
        assertThat(TENTH_OVER_TWO.ratio(3, WHOLE_NODE)).isBetween(2.0, 2.2);
        assertThat(TENTH_OVER_TWO.ratio(2, CORES_THREAD)).isBetween(1.2, 1.3);
    }

    @Test
    void whereSequencingTakesLessThreeNodesDoMore() {
        assertThat(TENTH_OVER_TWO.ratio(3, new Costs(31, 3, 4, 8, 13, 10, 12, 74)))
                .isGreaterThan(2.6);
    }

    @Test
    void oneNodeIsOne() {
        assertThat(TENTH_OVER_TWO.ratio(1, WHOLE_NODE)).isEqualTo(1);
    }
}
