/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import org.meteorshower.protocol.Now;

/** The node's two clocks. Thread-safe. */
@FunctionalInterface
public interface Clock {
    Now now();

    /** The machine's clocks; the wall clock with microsecond resolution where the platform has it. */
    static Clock system() {
        return () -> {
            java.time.Instant instant = java.time.Instant.now();
            return new Now(instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1_000, System.nanoTime());
        };
    }
}
