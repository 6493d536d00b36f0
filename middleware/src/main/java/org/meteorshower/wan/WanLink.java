/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.wan;

/**
 * What happens to messages from one data centre to another; one way only. Immutable.
 *
 * @param delayNanos one-way delay, at least 0
 * @param jitterNanos the most that is added to the delay, uniformly; at least 0
 * @param loss the share of messages that are lost, 0..1
 * @param cut whether nothing gets through
 */
record WanLink(long delayNanos, long jitterNanos, double loss, boolean cut) {
    static final WanLink OPEN = new WanLink(0, 0, 0, false);

    boolean isOpen() {
        return equals(OPEN);
    }

    WanLink withDelayNanos(long nanos) {
        return new WanLink(nanos, jitterNanos, loss, cut);
    }

    WanLink withJitterNanos(long nanos) {
        return new WanLink(delayNanos, nanos, loss, cut);
    }

    WanLink withLoss(double share) {
        return new WanLink(delayNanos, jitterNanos, share, cut);
    }

    WanLink withCut(boolean isCut) {
        return new WanLink(delayNanos, jitterNanos, loss, isCut);
    }
}
