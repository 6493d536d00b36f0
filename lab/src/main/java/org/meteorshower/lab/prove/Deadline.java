/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.prove;

import org.jspecify.annotations.Nullable;

/** When to begin nothing new. */
record Deadline(long atNanos, boolean isAny) {
    /** @param minutes from now; null: never */
    static Deadline in(@Nullable Double minutes) {
        return minutes == null
                ? new Deadline(0, false)
                : new Deadline(System.nanoTime() + (long) (minutes * 60e9), true);
    }

    boolean isPast() {
        return isAny && System.nanoTime() - atNanos >= 0;
    }
}
