/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.torture.Sample.What;

class EffectTest {
    private static final List<String> DCS = List.of("eu", "us", "asia");

    private static Sample sample(double fromSeconds, double millis, int fromDc, int dc, What what) {
        long start = (long) (fromSeconds * 1e9);
        return new Sample(start, start + (long) (millis * 1e6), fromDc, dc, what, true);
    }

    private static Effect of(FaultKind kind, Sample... samples) {
        FaultSpan span =
                new FaultSpan(new Fault(kind, "us", 0, 0, 0), 10_000_000_000L, 11_000_000_000L, 12_000_000_000L);
        return Effect.of(List.of(span), List.of(samples), DCS).get(0);
    }

    @Test
    void whoWaitedElsewhereWhileADataCentreWasDownIsCounted() {
        Effect effect = of(
                FaultKind.KILL,
                sample(9, 5, 0, 0, What.READ),
                sample(10.5, 700, 0, 0, What.READ),
                sample(10.6, 50, 2, 2, What.WRITE),
                sample(10.7, 90, 2, 2, What.FAILED));

        assertThat(effect.longestMillis()).isEqualTo(700);
        assertThat(effect.readsBefore().at(99)).isEqualTo(5);
        assertThat(effect.readsMeanwhile().count()).isEqualTo(1);
        assertThat(effect.writesMeanwhile().count()).isEqualTo(1);
        assertThat(effect.failed()).isEqualTo(1);
    }

    @Test
    void whoWasAtTheDataCentreThatWentDownIsNot() {
        Effect effect =
                of(FaultKind.KILL, sample(10.5, 5_000, 1, 0, What.READ), sample(10.5, 5_000, 1, 1, What.FAILED));

        assertThat(effect.longestMillis()).isZero();
        assertThat(effect.failed()).isZero();
    }

    @Test
    void aFaultThatDisablesNobodyConcernsAll() {
        assertThat(of(FaultKind.LOSS, sample(10.5, 300, 1, 1, What.READ)).longestMillis())
                .isEqualTo(300);
    }

    @Test
    void anOperationThatTheFaultMetOnItsWayCounts() {
        assertThat(of(FaultKind.CUT, sample(9.9, 400, 0, 0, What.WRITE)).longestMillis())
                .isEqualTo(400);
    }
}
