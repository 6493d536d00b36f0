/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.ways;

/**
 * How many reads may be sent to a second replica because the first is late: one for each twenty reads, and ten that
 * were saved up. So a slow network or an overloaded cluster gets at most 5 % more reads. Thread-safe.
 */
public final class HedgeBudget {
    static final int READS_FOR_EACH = 20;

    static final int MOST_SAVED = 10;

    /** In reads; 0 <= saved <= {@value #MOST_SAVED} * {@value #READS_FOR_EACH}. */
    private int saved = MOST_SAVED * READS_FOR_EACH;

    /** A read is forwarded. */
    public synchronized void earn() {
        saved = Math.min(MOST_SAVED * READS_FOR_EACH, saved + 1);
    }

    /** Whether one more may be sent. */
    public synchronized boolean take() {
        if (saved < READS_FOR_EACH) {
            return false;
        }
        saved -= READS_FOR_EACH;
        return true;
    }
}
