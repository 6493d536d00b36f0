/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.Locale;

/**
 * The time since a run began. Immutable.
 *
 * @param epochNanos when that was, by {@link System#nanoTime}
 */
public record RunClock(long epochNanos) {
    /** A run begins. */
    public static RunClock start() {
        return new RunClock(System.nanoTime());
    }

    /** Since then. */
    public long nanos() {
        return System.nanoTime() - epochNanos;
    }

    public double seconds() {
        return nanos() / 1e9;
    }

    /** What a line begins with that says when something was. */
    public String stamp() {
        return String.format(Locale.ROOT, "%7.1f s  ", seconds());
    }
}
