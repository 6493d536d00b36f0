/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/** How a read came to its answer. */
public enum Served {
    /** At the newest cut that this replica covers, at once. */
    LOCAL,
    /** At once too, at an older cut: something about the row was still in flight at the newest. */
    OLDER,
    /** After a wait for a status message or a mutation. */
    WAITED,
    /** After this replica asked the others for their status. */
    PULLED,
    /** By the store's own read of a majority, at no cut: what the replicas hold is being brought together. */
    PLAIN
}
