/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

/**
 * One operation as its client timed it. Times in nanoseconds since the run began.
 *
 * @param fromDc the number of the data centre where its session was when it began
 * @param dc of the data centre that served it
 * @param local whether a read was served without a wait
 */
public record Sample(long startNanos, long endNanos, int fromDc, int dc, What what, boolean local) {
    /** What it was, or that it failed. */
    public enum What {
        READ,
        WRITE,
        FAILED
    }

    public double millis() {
        return (endNanos - startNanos) / 1e6;
    }
}
