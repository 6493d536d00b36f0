/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.Effect;

/**
 * Reads the local store for one client's read. Called on the thread of the read, possibly several times; every call
 * reads anew.
 */
@FunctionalInterface
public interface LocalReader<T> {
    /**
     * @param cutMicros the cut t; expiry of cells is to be decided as of this time
     * @param overlay what to put over the store's content, or null for the store's content as it is
     */
    T read(long cutMicros, Effect.@Nullable Overlay overlay);
}
