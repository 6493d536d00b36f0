/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

/** Makes sessions work. For one thread, which {@link #run} keeps busy. */
interface Generator {
    /** Starts operations until the measurement ends. Returns early where the thread is interrupted. */
    void run();

    /** Whether every operation that was started has ended. */
    boolean isQuiet();
}
