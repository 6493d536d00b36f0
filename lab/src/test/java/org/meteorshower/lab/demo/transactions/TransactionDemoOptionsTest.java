/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.bench.plan.TransactionEngine;

final class TransactionDemoOptionsTest {
    private static final List<String> DCS = List.of("eu", "us", "asia");

    private static TransactionDemoOptions options(
            List<String> dcs, List<Double> delays, int seconds, int rows, @Nullable String kill) {
        return options(dcs, 1, delays, seconds, rows, kill);
    }

    private static TransactionDemoOptions options(
            List<String> dcs, int nodesPerDc, List<Double> delays, int seconds, int rows, @Nullable String kill) {
        return new TransactionDemoOptions(
                TransactionEngine.CATENAE,
                dcs,
                nodesPerDc,
                delays,
                seconds,
                4,
                rows,
                false,
                kill,
                null,
                null,
                1,
                "127.0.0.1");
    }

    @Test
    void theFloorOfADataCentreIsTheRoundTripToTheNearestThatMakesAMajority() {
        TransactionDemoOptions options = options(DCS, List.of(50.0, 75.0, 120.0), 20, 1000, null);
        assertThat(DCS.stream().map(options::majorityMillis)).containsExactly(100.0, 100.0, 150.0);
    }

    @Test
    void whatMakesNoSenseIsRefusedWithWhatWould() {
        assertThatThrownBy(() -> options(DCS, List.of(50.0), 0, 1000, null)).hasMessageContaining("--seconds");
        assertThatThrownBy(() -> options(DCS, List.of(50.0), 20, 15, null)).hasMessageContaining("in steps of 10");
        assertThatThrownBy(() -> options(DCS, List.of(50.0), 20, 10, "mars"))
                .hasMessageContaining("there are eu, us, asia");
        assertThatThrownBy(() -> options(List.of("eu", "us"), List.of(50.0), 20, 10, "us"))
                .hasMessageContaining("--no-kill");
        assertThatThrownBy(() -> options(DCS, 6, List.of(50.0), 20, 10, null)).hasMessageContaining("--nodes-per-dc");
        assertThatThrownBy(() -> options(DCS, 2, List.of(50.0), 20, 10, "us")).hasMessageContaining("Give three");
    }

    @Test
    void whereANodeIsKilledOneDataCentreIsEnough() {
        assertThat(options(List.of("eu"), 3, List.of(0.0), 20, 10, "eu")
                        .network()
                        .shape()
                        .replicasPerDc())
                .isEqualTo(3);
    }
}
