/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.meteorshower.client.ReadInfo;

/** How one session reads and writes rows, without waiting. One operation at a time; stages complete on any thread. */
interface RowClient {
    /**
     * What a read gave.
     *
     * @param value null: no row
     * @param info null: not served by MeteorShower
     */
    record Answer(@Nullable String value, @Nullable ReadInfo info) {}

    CompletionStage<Answer> read(int row);

    /** The stage gives the write's timestamp, or {@link org.meteorshower.checker.Operation#NO_VERSION}. */
    CompletionStage<Long> write(int row, String value);

    /** Whether a write that failed so may have taken effect or may still do so; otherwise it has not and will not. */
    boolean mayHaveTakenEffect(Throwable failure);
}
