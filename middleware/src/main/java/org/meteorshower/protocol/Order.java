/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/** Order statistics of a few numbers. */
final class Order {
    private Order() {}

    /** The k-th smallest, counted from 1. Sorts a copy by insertion: there are three to seven values. */
    static long smallest(long[] values, int k) {
        long[] sorted = values.clone();
        for (int i = 1; i < sorted.length; i++) {
            long value = sorted[i];
            int j = i - 1;
            while (j >= 0 && sorted[j] > value) {
                sorted[j + 1] = sorted[j];
                j--;
            }
            sorted[j + 1] = value;
        }
        return sorted[k - 1];
    }

    static long largest(long[] values, int k) {
        return smallest(values, values.length - k + 1);
    }
}
