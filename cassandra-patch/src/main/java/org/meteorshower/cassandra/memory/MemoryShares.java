/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.memory;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the operator says of the heap.
 *
 * @param shares of those for whom the defaults shall not hold: 0 < share < 1
 * @param largestWriteMegabytes null: as the heap and Cassandra allow
 */
public record MemoryShares(
        Map<MemoryUser, Double> shares, @Nullable Integer largestWriteMegabytes) {
    public static final MemoryShares DEFAULTS = new MemoryShares(Map.of(), null);

    public MemoryShares {
        shares = Map.copyOf(shares);
    }
}
