/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/** Order statistics of a few numbers. */
final class Order {
    private Order() {}

    /**
     * The k-th smallest, counted from 1. Compares each with each: there are three to seven values, and a copy costs
     * more.
     */
    static long smallest(long[] values, int k) {
        for (long candidate : values) {
            int below = 0;
            int notAbove = 0;
            for (long value : values) {
                below += value < candidate ? 1 : 0;
                notAbove += value <= candidate ? 1 : 0;
            }
            if (below < k && k <= notAbove) {
                return candidate;
            }
        }
        throw new IllegalArgumentException("there is no value number " + k + " of " + values.length);
    }

    static long largest(long[] values, int k) {
        return smallest(values, values.length - k + 1);
    }
}
