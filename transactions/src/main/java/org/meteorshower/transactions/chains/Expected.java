/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

/**
 * What rows are about to take once more when they are written: those in memory as they are now, the others as many.
 *
 * @param bytes of those in memory
 * @param unread so many are not there
 */
public record Expected(long bytes, int unread) {
    public static final Expected NOTHING = new Expected(0, 0);

    public Expected plus(Expected other) {
        return new Expected(bytes + other.bytes, unread + other.unread);
    }

    Expected minus(Expected other) {
        return new Expected(bytes - other.bytes, unread - other.unread);
    }
}
