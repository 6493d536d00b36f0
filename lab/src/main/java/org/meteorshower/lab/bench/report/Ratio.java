/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import org.meteorshower.lab.bench.run.Op;

/**
 * How one series compares with another. Immutable.
 *
 * @param of the label of the series measured
 * @param to the label of the one it is held against
 * @param value of all windows
 * @param undisturbed of those alone in which the machine did not disturb
 * @param repeats that both have
 */
public record Ratio(
        String title,
        String of,
        String to,
        Op op,
        Quantity quantity,
        Interval value,
        Interval undisturbed,
        int repeats) {

    /** A ratio and where it lies with 95 % confidence; NaN where there is too little to say. */
    public record Interval(double value, double low, double high) {}
}
