/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

/**
 * A figure of the run beside the one to reach. Immutable.
 *
 * @param word for JSON
 * @param text for people
 * @param value what was measured, or NaN
 * @param limit what it is held against, or NaN where this run has no such goal
 * @param atLeast whether more is better
 */
record Goal(String word, String text, double value, double limit, boolean atLeast) {
    boolean isJudged() {
        return !Double.isNaN(value) && !Double.isNaN(limit);
    }

    boolean isMet() {
        return isJudged() && (atLeast ? value >= limit : value <= limit);
    }
}
