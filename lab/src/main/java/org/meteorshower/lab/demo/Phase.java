/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

/**
 * A stretch of time in one mode.
 *
 * @param round from 1; 0 is the heating before the first
 * @param readShare share of reads, 0..1
 * @param settleMillis at the start, not measured: the change of mode is over when it ends
 * @param measureMillis measured, 0 when heating
 */
record Phase(Mode mode, int round, double readShare, long settleMillis, long measureMillis) {
    long totalMillis() {
        return settleMillis + measureMillis;
    }
}
