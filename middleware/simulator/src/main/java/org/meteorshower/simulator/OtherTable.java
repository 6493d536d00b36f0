/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import org.jspecify.annotations.Nullable;

/**
 * A second table with the same replicas, which goes over to an epoch later than the first. Nobody reads or writes it:
 * it only makes its replicas peers.
 */
final class OtherTable {
    private final int looksBehind;
    private @Nullable Epoch followed;
    private int looks;

    /** @param looksBehind so many looks after the first table; 0: there is none */
    OtherTable(int looksBehind) {
        this.looksBehind = looksBehind;
    }

    @Nullable
    Epoch followed() {
        return followed;
    }

    /** After a restart a table is not followed before its epoch is that of the ring. */
    void recover() {
        followed = null;
        looks = 0;
    }

    /** Returns whether it has gone over. */
    boolean look(@Nullable Epoch first) {
        if (looksBehind == 0 || first == null || first.equals(followed)) {
            return false;
        }
        looks++;
        if (followed != null && looks < looksBehind) {
            return false;
        }
        looks = 0;
        followed = first;
        return true;
    }
}
