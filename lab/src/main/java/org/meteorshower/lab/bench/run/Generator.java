/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

/** Makes sessions work. For one thread, which {@link #run} keeps busy. */
interface Generator {
    /** Starts operations until the measurement ends. Returns early where the thread is interrupted. */
    void run();

    /** Whether all is done: no operation will be started, and every one that was has ended. */
    boolean isQuiet();

    /** Starts nothing more, not even what waits already: the next run must not pay for this one. Any thread. */
    void stop();
}
