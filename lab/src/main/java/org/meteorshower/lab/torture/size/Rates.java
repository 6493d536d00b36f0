/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.util.Arrays;

/** Rates from what was acknowledged in each second. Stateless. */
final class Rates {
    static final int TENTHS = 10;

    private Rates() {}

    /**
     * Acknowledged a second, for each tenth of the amount. The last one ends when the load ended, so that a load that
     * stood still shows it. Empty where nothing was acknowledged.
     *
     * @param bySecond acknowledged in each second
     * @param seconds when the load ended
     */
    static double[] tenths(double[] bySecond, double seconds) {
        double total = Arrays.stream(bySecond).sum();
        if (total == 0) {
            return new double[0];
        }
        double[] rates = new double[TENTHS];
        double before = 0;
        for (int tenth = 1; tenth <= TENTHS; tenth++) {
            double until = tenth == TENTHS ? Math.max(seconds, before) : reached(bySecond, total * tenth / 10.0);
            rates[tenth - 1] = total / 10.0 / Math.max(1e-3, until - before);
            before = until;
        }
        return rates;
    }

    /** When so much was acknowledged, evenly within a second. */
    private static double reached(double[] bySecond, double amount) {
        double sum = 0;
        for (int second = 0; second < bySecond.length; second++) {
            if (sum + bySecond[second] >= amount) {
                return second + (amount - sum) / bySecond[second];
            }
            sum += bySecond[second];
        }
        return bySecond.length;
    }

    /** NaN where there is no second tenth. */
    static double lastToSecond(double[] tenths) {
        return tenths.length < TENTHS ? Double.NaN : tenths[TENTHS - 1] / tenths[1];
    }
}
