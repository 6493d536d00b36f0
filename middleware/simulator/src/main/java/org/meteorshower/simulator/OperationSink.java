/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import org.jspecify.annotations.Nullable;

/** Takes the operations of a run as clients saw them, each session's in program order. */
public interface OperationSink {
    /** Takes none: for who looks at a run otherwise. */
    OperationSink NOBODY = new OperationSink() {
        @Override
        public void read(String session, String cell, @Nullable String value, long startNanos, long endNanos) {}

        @Override
        public void write(
                String session,
                String cell,
                @Nullable String value,
                long startNanos,
                long endNanos,
                long timestampMicros) {}
    };

    /** A read that was answered. {@code value} is null where no row was seen. */
    void read(String session, String cell, @Nullable String value, long startNanos, long endNanos);

    /**
     * A write that began.
     *
     * @param value null for a delete
     * @param endNanos -1 where the outcome is not known
     */
    void write(
            String session, String cell, @Nullable String value, long startNanos, long endNanos, long timestampMicros);
}
