/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.placement;

import org.apache.cassandra.service.StorageService;

/** This node's own place on the ring, as Cassandra sees it now. Thread-safe; asked for each request. */
public interface OwnPlace {
    /** Whether the node is still taking in what it will be a replica of. */
    boolean isBootstrapping();

    /** As {@link PlacementKeeper#isOnRing()}. */
    boolean isOnRing();

    /** As it is in a node. */
    static OwnPlace ofThisNode() {
        return new OwnPlace() {
            @Override
            public boolean isBootstrapping() {
                return StorageService.instance.isBootstrapMode();
            }

            @Override
            public boolean isOnRing() {
                return PlacementKeeper.isOnRing();
            }
        };
    }
}
