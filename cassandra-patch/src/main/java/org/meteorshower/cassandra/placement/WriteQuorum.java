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
    },
    ALL {
        @Override
        int of(int replicas) {
            return replicas;
        }
    };

    abstract int of(int replicas);

    /** Whether each of Cassandra's own reads at QUORUM sees what has taken effect. */
    public boolean isSeenAtQuorum() {
        return this != ONE;
    }
}
