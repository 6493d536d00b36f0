/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import org.jspecify.annotations.Nullable;
import org.meteorshower.client.ReadInfo;

/** How one session reads and writes rows. For one thread at a time. Every call ends within the driver's time-outs. */
interface RowClient {
    /**
     * What a read gave.
     *
     * @param value null: no row
     * @param info null: not served by MeteorShower
     */
    record Answer(@Nullable String value, @Nullable ReadInfo info) {}

    /** Throws whatever the driver throws. */
    Answer read(Mode mode, int row);

    /**
     * Writes, and tells the timestamp, or {@link org.meteorshower.checker.Operation#NO_VERSION}. Throws whatever the
     * driver throws; {@link #mayHaveTakenEffect} tells what that means.
     */
    long write(Mode mode, int row, String value);

    /** Whether a write that failed so may have taken effect or may still do so; otherwise it has not and will not. */
    boolean mayHaveTakenEffect(RuntimeException failure);

    /** The data centre that serves the session now. */
    String dataCentre();

    void moveTo(String dc);
}
