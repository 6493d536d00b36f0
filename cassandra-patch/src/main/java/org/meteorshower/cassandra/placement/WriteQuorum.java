/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.placement;

/** w: at which replica a write takes effect. The read quorum follows: r = n - w + 1. */
public enum WriteQuorum {
    MAJORITY {
        @Override
        int of(int replicas) {
            return replicas / 2 + 1;
        }
    },
    ONE {
        @Override
        int of(int replicas) {
            return 1;
        }
    };

    abstract int of(int replicas);
}
