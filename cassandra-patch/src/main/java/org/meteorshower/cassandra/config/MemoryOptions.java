/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.config;

import java.util.EnumMap;
import java.util.Map;
import org.meteorshower.cassandra.memory.MemoryShares;
import org.meteorshower.cassandra.memory.MemoryUser;

/** Reads the group {@code memory}: an option for each user of the heap, and the largest write. */
final class MemoryOptions {
    private static final double LEAST = 0.001;
    private static final double MOST = 0.5;

    private MemoryOptions() {}

    static MemoryShares of(OptionMap options) throws ConfigException {
        Map<MemoryUser, Double> shares = new EnumMap<>(MemoryUser.class);
        for (MemoryUser user : MemoryUser.values()) {
            double share = options.fraction(user.text(), user.share(), LEAST, MOST);
            if (options.has(user.text())) {
                shares.put(user, share);
            }
        }
        int megabytes = options.integer("largest_write_mb", 1, 1, 1_024);
        return new MemoryShares(shares, options.has("largest_write_mb") ? megabytes : null);
    }
}
