/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

/**
 * Does one thing at a time, whatever it is. One thread at a time; who starts it and who completes it hand it over
 * through a lock.
 */
interface Session {
    /**
     * Starts one operation; its end is told to the measurement, and then to the one who starts.
     *
     * @param intendedNanos when it should have started: its latency counts from there
     * @param done called once, on any thread, also where the operation failed
     */
    void start(long intendedNanos, Measurement measurement, Runnable done);
}
