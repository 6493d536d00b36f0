/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.bench.run.Op;
import org.meteorshower.lab.bench.run.Window;

final class BootstrapTest {
    private static Sample sample(int windows, LongSupplier micros) {
        List<Window> all = new ArrayList<>();
        for (int w = 0; w < windows; w++) {
            all.add(BenchSamples.window(w, 100, micros));
        }
        return Sample.of(all, Op.READ);
    }

    private static Ratio.Interval p50(List<Bootstrap.Pair> pairs) {
        return Bootstrap.intervals(pairs, List.of(Quantity.P50, Quantity.P99), 1)
                .get(Quantity.P50);
    }

    @Test
    void aSampleHasThePercentilesOfItsHistogram() {
        long[] next = {0}; // reads get the odd ones, writes the even
        Sample sample = sample(10, () -> ++next[0]);
        assertThat(sample.at(50, sample.whole())).isEqualTo(999, within(1.0));
        assertThat(sample.at(99, sample.whole())).isEqualTo(1_979, within(1.0));
        assertThat(Sample.total(sample.whole())).isEqualTo(1_000);
    }

    @Test
    void whereNothingVariesTheIntervalIsThePoint() {
        Ratio.Interval ratio = p50(List.of(new Bootstrap.Pair(sample(5, () -> 300), sample(5, () -> 100))));
        assertThat(ratio.value()).isEqualTo(3, within(0.01));
        assertThat(ratio.low()).isEqualTo(ratio.value(), within(1e-9));
        assertThat(ratio.high()).isEqualTo(ratio.value(), within(1e-9));
    }

    @Test
    void whatHitsAWholeRepeatCancels() {
        Ratio.Interval ratio = p50(List.of(
                new Bootstrap.Pair(sample(5, () -> 200), sample(5, () -> 100)),
                new Bootstrap.Pair(sample(5, () -> 2_000), sample(5, () -> 1_000))));
        assertThat(ratio.value()).isEqualTo(2, within(0.01));
        assertThat(ratio.high() - ratio.low()).isLessThan(0.01);
    }

    @Test
    void repeatsThatDisagreeMakeTheIntervalWide() {
        Ratio.Interval ratio = p50(List.of(
                new Bootstrap.Pair(sample(5, () -> 100), sample(5, () -> 100)),
                new Bootstrap.Pair(sample(5, () -> 400), sample(5, () -> 100))));
        assertThat(ratio.value()).isEqualTo(2, within(0.01));
        assertThat(ratio.low()).isEqualTo(1, within(0.01));
        assertThat(ratio.high()).isEqualTo(4, within(0.01));
    }

    /** The check of the check: of many experiments about 95 % have the truth in their interval. */
    @Test
    void theTruthLiesInAboutAsManyIntervalsAsIsSaid() {
        SplittableRandom random = new SplittableRandom(11);
        int held = 0;
        int experiments = 60;
        for (int i = 0; i < experiments; i++) {
            LongSupplier slow = () -> 1_000 + (long) (1_000 * -Math.log(1 - random.nextDouble()));
            LongSupplier quick = () -> 500 + (long) (500 * -Math.log(1 - random.nextDouble()));
            Ratio.Interval ratio = p50(List.of(new Bootstrap.Pair(sample(20, slow), sample(20, quick))));
            held += ratio.low() <= 2 && 2 <= ratio.high() ? 1 : 0;
        }
        assertThat(held).isBetween(50, experiments);
    }
}
