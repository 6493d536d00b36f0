/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RowChooserTest {
    private static int[] drawn(boolean zipfian) {
        RowChooser rows = RowChooser.of(1_000, zipfian);
        SplittableRandom random = new SplittableRandom(3);
        int[] counts = new int[1_000];
        for (int i = 0; i < 100_000; i++) {
            counts[rows.next(random)]++;
        }
        return Arrays.stream(counts).sorted().toArray();
    }

    @Test
    void uniformRowsComeAlike() {
        int[] counts = drawn(false);
        assertThat(counts[0]).isGreaterThan(50);
        assertThat(counts[999]).isLessThan(150);
    }

    @Test
    void ofZipfianRowsTheFirstComesTwiceAsOftenAsTheSecond() {
        int[] counts = drawn(true);
        // 1 / (the sum of 1/k^0.99 for k up to 1000) of them.
        assertThat(counts[999]).isBetween(12_000, 14_000);
        assertThat((double) counts[999] / counts[998]).isBetween(1.8, 2.2);
    }
}
