/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.cluster.DelayList.Pair;

final class DelayListTest {
    private static final List<String> THREE = List.of("eu", "us", "asia");

    @Test
    void oneNumberHoldsForEveryPair() {
        assertThat(DelayList.pairs(THREE, DelayList.parse("50")))
                .containsExactly(new Pair("eu", "us", 50), new Pair("us", "asia", 50), new Pair("eu", "asia", 50));
    }

    @Test
    void threeNumbersForThreeDataCentresGoRoundTheRing() {
        assertThat(DelayList.pairs(THREE, DelayList.parse("50, 75,120.5")))
                .containsExactly(new Pair("eu", "us", 50), new Pair("us", "asia", 75), new Pair("eu", "asia", 120.5));
    }

    @Test
    void otherCountsTakeThePairsInIndexOrder() {
        assertThat(DelayList.pairs(List.of("a", "b", "c", "d"), DelayList.parse("1,2,3,4,5,6")))
                .containsExactly(
                        new Pair("a", "b", 1),
                        new Pair("a", "c", 2),
                        new Pair("a", "d", 3),
                        new Pair("b", "c", 4),
                        new Pair("b", "d", 5),
                        new Pair("c", "d", 6));
    }

    @Test
    void aSingleDataCentreHasNoPairs() {
        assertThat(DelayList.pairs(List.of("a"), List.of(0.0))).isEmpty();
    }

    @Test
    void aWrongCountNamesThePairs() {
        assertThatThrownBy(() -> DelayList.pairs(THREE, List.of(1.0, 2.0)))
                .hasMessageContaining("2 delays for 3 pairs")
                .hasMessageContaining("eu-us, us-asia, eu-asia");
    }

    @Test
    void whatIsNoNumberOrNoDelayIsRefused() {
        for (String bad : List.of("fast", "", "1,,2")) {
            assertThatThrownBy(() -> DelayList.parse(bad)).hasMessageContaining("is no delay");
        }
        for (double bad : new double[] {-1, Double.NaN, 1e9}) {
            assertThatThrownBy(() -> DelayList.pairs(THREE, List.of(bad)))
                    .hasMessageContaining("must be 0 to 60000 ms");
        }
    }
}
