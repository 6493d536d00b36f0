/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import org.jspecify.annotations.Nullable;

/**
 * One node at one moment.
 *
 * @param nanos since the run began
 * @param heap null where it did not tell, or had no process
 * @param told null where it did not answer
 */
record NodeSample(
        long nanos, String node, HeapProbe.@Nullable Heap heap, TableProbe.@Nullable Told told, DiskUse disk) {
    double second() {
        return nanos / 1e9;
    }
}
