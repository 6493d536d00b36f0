/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.time.Duration;
import org.meteorshower.lab.load.MachineLoad;

/**
 * What the machine did while the phases ran; shares are of all processors, NaN where unknown. Immutable.
 *
 * @param loadAverageBefore runnable threads before the first phase
 * @param loadAverageAfter and after the last
 * @param busyShare in use by whomever
 * @param stolenShare taken by other virtual machines
 * @param clientShare in use by the clients of the demo
 */
record MachineUse(
        int cores,
        double loadAverageBefore,
        double loadAverageAfter,
        double busyShare,
        double stolenShare,
        double clientShare) {

    /** Begins to watch. */
    static Watch watch() {
        return new Watch(MachineLoad.now(), System.nanoTime(), ownProcessorNanos());
    }

    /** Since when. */
    record Watch(MachineLoad before, long startNanos, long processorNanos) {
        MachineUse end() {
            MachineLoad after = MachineLoad.now();
            // Of the same processors as the shares it is held against.
            double elapsed = (double) (System.nanoTime() - startNanos) * after.processors();
            return new MachineUse(
                    MachineLoad.cores(),
                    before.loadAverage(),
                    after.loadAverage(),
                    after.busySince(before),
                    after.stolenSince(before),
                    (ownProcessorNanos() - processorNanos) / elapsed);
        }
    }

    private static long ownProcessorNanos() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(Duration::toNanos)
                .orElse(0L);
    }
}
