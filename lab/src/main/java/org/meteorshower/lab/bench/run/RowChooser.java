/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.Arrays;
import java.util.Random;
import java.util.random.RandomGenerator;

/** Draws rows, all alike or some often. Immutable. */
final class RowChooser {
    /** That of YCSB. */
    private static final double EXPONENT = 0.99;

    private final int rows;

    /** Probability of the ranks up to each; empty: all rows alike. */
    private final double[] cumulated;

    /** Which row has which rank, so that neighbours in rank are none in the table. */
    private final int[] rowOfRank;

    private RowChooser(int rows, double[] cumulated, int[] rowOfRank) {
        this.rows = rows;
        this.cumulated = cumulated;
        this.rowOfRank = rowOfRank;
    }

    static RowChooser of(int rows, boolean zipfian) {
        if (!zipfian) {
            return new RowChooser(rows, new double[0], new int[0]);
        }
        double[] cumulated = new double[rows];
        double sum = 0;
        for (int rank = 0; rank < rows; rank++) {
            sum += 1 / Math.pow(rank + 1, EXPONENT);
            cumulated[rank] = sum;
        }
        int[] rowOfRank = new int[rows];
        Random random = new Random(rows);
        for (int rank = 0; rank < rows; rank++) {
            cumulated[rank] /= sum;
            int other = random.nextInt(rank + 1);
            rowOfRank[rank] = rowOfRank[other];
            rowOfRank[other] = rank;
        }
        return new RowChooser(rows, cumulated, rowOfRank);
    }

    int rows() {
        return rows;
    }

    int next(RandomGenerator random) {
        if (cumulated.length == 0) {
            return random.nextInt(rows);
        }
        int found = Arrays.binarySearch(cumulated, random.nextDouble());
        return rowOfRank[Math.min(rows - 1, found >= 0 ? found : -found - 1)];
    }
}
