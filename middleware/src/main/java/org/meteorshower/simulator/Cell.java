/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import org.jspecify.annotations.Nullable;

/** A cell's content: the latest timestamp wins, and of equal ones the larger value; a deletion wins over a value. */
public record Cell(long timestampMicros, @Nullable String value) {
    /** The one of the two that wins; null stands for no content. */
    public static @Nullable Cell latest(@Nullable Cell a, @Nullable Cell b) {
        if (a == null || b == null) {
            return a == null ? b : a;
        }
        if (a.timestampMicros != b.timestampMicros) {
            return a.timestampMicros > b.timestampMicros ? a : b;
        }
        if (a.value == null || b.value == null) {
            return a.value == null ? a : b;
        }
        return a.value.compareTo(b.value) >= 0 ? a : b;
    }
}
