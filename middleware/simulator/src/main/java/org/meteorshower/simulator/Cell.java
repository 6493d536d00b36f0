/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import org.jspecify.annotations.Nullable;

/** A cell's content: the latest timestamp wins, and of equal ones the larger value; a deletion wins over a value. */
public record Cell(long timestampMicros, @Nullable String value) {
    private static final int SMALL_BYTES = 64;

    /** What it takes on the heap: a value that ends with "#" and a number is as large as that says. */
    long sizeBytes() {
        int mark = value == null ? -1 : value.indexOf('#');
        return mark < 0 || value == null ? SMALL_BYTES : SMALL_BYTES + Long.parseLong(value.substring(mark + 1));
    }

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
