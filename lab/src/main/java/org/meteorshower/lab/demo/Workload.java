/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import static org.meteorshower.lab.arguments.Arguments.require;

/**
 * What the clients do. Immutable, checked when made.
 *
 * @param threads client threads in all, dealt to the data centres in turn; each is a session
 * @param rows rows of each table; keys are drawn uniformly
 * @param readShare share of reads, 0..1
 * @param operationsPerSecond as much as all clients together may do, 0: no limit
 */
record Workload(int threads, int rows, double readShare, double operationsPerSecond) {
    private static final int MAX_THREADS = 1_000;
    private static final int MAX_ROWS = 100_000;
    private static final double MAX_RATE = 1_000_000;

    Workload {
        require(threads >= 1 && threads <= MAX_THREADS, "--threads must be 1 to " + MAX_THREADS + ", not " + threads);
        require(
                rows >= 1 && rows <= MAX_ROWS,
                "--rows must be 1 to " + MAX_ROWS + ", not " + rows + ": all of them are written before the start");
        require(readShare >= 0 && readShare <= 1, "--read-share must be 0 to 1, not " + readShare);
        require(
                operationsPerSecond >= 0 && operationsPerSecond <= MAX_RATE,
                "--rate must be 0 (no limit) to " + (long) MAX_RATE + " operations a second, not "
                        + operationsPerSecond);
    }
}
