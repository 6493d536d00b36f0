/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.meteorshower.client.ReadInfo;
import org.meteorshower.client.Served;

final class OperationStatsTest {
    private final OperationStats stats = new OperationStats();

    @Test
    void percentilesAreExactToThreeDigits() {
        for (int millis = 1; millis <= 100; millis++) {
            stats.written(TimeUnit.MILLISECONDS.toNanos(millis));
        }
        assertThat(stats.writes().count()).isEqualTo(100);
        assertThat(stats.writes().millisAt(50)).isEqualTo(50, within(0.1));
        assertThat(stats.writes().millisAt(99)).isEqualTo(99, within(0.1));
    }

    @Test
    void nothingMeasuredIsNoNumberRatherThanZero() {
        assertThat(stats.reads().millisAt(50)).isNaN();
        assertThat(stats.localShare()).isNaN();
        assertThat(new ModeStats(List.of("eu")).operationsPerSecond(stats)).isNaN();
    }

    @Test
    void localIsWhatWasServedAtOnceAtTheNewestOrAnOlderCut() {
        stats.read(1_000_000, new ReadInfo(Served.LOCAL, 1, 2_000));
        stats.read(1_000_000, new ReadInfo(Served.OLDER, 1, 4_000));
        stats.read(1_000_000, new ReadInfo(Served.WAITED, 1, 0));
        stats.read(1_000_000, new ReadInfo(Served.PULLED, 1, 0));
        assertThat(stats.localShare()).isEqualTo(0.5);
        assertThat(stats.share(Served.WAITED)).isEqualTo(0.25);
        assertThat(stats.staleness().millisAt(100)).isEqualTo(4, within(0.01));
    }

    @Test
    void readsOfPlainCassandraTellNoShares() {
        stats.read(1_000_000, null);
        assertThat(stats.reads().count()).isEqualTo(1);
        assertThat(stats.localShare()).isNaN();
    }

    @Test
    void dataCentresAndRoundsAddUp() {
        ModeStats all = new ModeStats(List.of("eu", "us"));
        for (int round = 1; round <= 2; round++) {
            ModeStats phase = new ModeStats(List.of("eu", "us"));
            phase.at("eu").read(1_000_000, null);
            phase.at("us").written(3_000_000);
            phase.at("us").failed("round " + round);
            phase.measuredFor(500);
            all.addAll(phase);
        }
        OperationStats total = all.total();
        assertThat(total.succeeded()).isEqualTo(4);
        assertThat(total.failures()).isEqualTo(2);
        assertThat(total.firstFailure()).isEqualTo("round 1");
        assertThat(all.operationsPerSecond(total)).isEqualTo(4.0);
        assertThat(all.operationsPerSecond(all.at("eu"))).isEqualTo(2.0);
    }
}
