/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import org.jspecify.annotations.Nullable;

/** Where entries are had from: all from K on, as often as somebody asks. */
public interface MergedOrder {
    /** The entry at this place; null where it is not decided, or is being read: it is asked for again later. */
    @Nullable
    Placed at(long count);
}
