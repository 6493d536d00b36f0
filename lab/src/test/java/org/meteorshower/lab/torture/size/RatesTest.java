/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

final class RatesTest {
    private static final org.assertj.core.data.Offset<Double> CLOSE = within(1e-6);

    @Test
    void anEvenLoadHasTheSameRateInEachTenth() {
        double[] bySecond = new double[20];
        Arrays.fill(bySecond, 50);

        assertThat(Rates.tenths(bySecond, 20)).hasSize(10).containsOnly(new double[] {50}, CLOSE);
        assertThat(Rates.lastToSecond(Rates.tenths(bySecond, 20))).isEqualTo(1, CLOSE);
    }

    @Test
    void tenthsAreOfTheAmountNotOfTheTime() {
        double[] bySecond = {100, 100, 100, 100, 100, 50, 50, 50, 50, 50, 50, 50, 50, 50, 50};

        double[] tenths = Rates.tenths(bySecond, 15);

        assertThat(tenths[0]).isEqualTo(100, CLOSE);
        assertThat(tenths[9]).isEqualTo(50, CLOSE);
        assertThat(Rates.lastToSecond(tenths)).isEqualTo(0.5, CLOSE);
    }

    @Test
    void aLoadThatStoodStillInTheEndShowsIt() {
        double[] bySecond = new double[100];
        Arrays.fill(bySecond, 0, 10, 100);

        double[] tenths = Rates.tenths(bySecond, 100);

        assertThat(tenths[9]).isEqualTo(100 / 91.0, CLOSE);
    }

    @Test
    void nothingHasNoTenths() {
        assertThat(Rates.tenths(new double[5], 5)).isEmpty();
        assertThat(Rates.lastToSecond(new double[0])).isNaN();
    }
}
