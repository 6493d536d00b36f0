/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.util.List;
import org.meteorshower.protocol.NodeId;

/** Brings this node what its peers hold. */
public interface Filler {
    /**
     * Begins to bring into the store all that these peers hold of the enabled tables that they share with this node,
     * and returns at once. {@link MeteorShower#filled} must follow, whatever comes of it; one at a time is under way.
     */
    void fill(long number, List<NodeId> sources);
}
