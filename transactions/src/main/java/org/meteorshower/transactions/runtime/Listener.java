/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.runtime;

import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.port.Effect;

/** Hears what an operator may want to know. Called on the loop; must not block. */
public interface Listener {
    void alarm(Effect.Alarm alarm);

    /**
     * The process does nothing any more. {@code failure} is null where it was closed, or another has taken its place.
     */
    void ended(@Nullable Throwable failure);
}
