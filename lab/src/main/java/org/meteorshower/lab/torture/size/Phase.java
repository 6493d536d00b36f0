/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

/** Load, a fault, its end. For one thread. */
interface Phase {
    /** Returns when the fault has ended and the load's time is over; the run settles then. */
    void run(PhaseRun run) throws InterruptedException;
}
