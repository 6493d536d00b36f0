/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.placement;

/** Reads ring and schema anew. */
@FunctionalInterface
public interface PlacementRefresh {
    void refresh();
}
