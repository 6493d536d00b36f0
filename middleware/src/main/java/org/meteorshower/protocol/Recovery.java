/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.List;
import java.util.UUID;

/**
 * What a node remembers of its earlier starts.
 *
 * @param incarnation of this start; larger than that of every earlier one
 * @param ceilingMicros F: earlier starts used no clock value above it; 0 for a new node
 * @param updates stamped and not retired, each with its stamp; gone through once, and not kept
 * @param stalePeers peers that were left behind
 */
public record Recovery(
        long incarnation,
        long ceilingMicros,
        Iterable<StampedUpdate> updates,
        List<RecoveredTable> tables,
        List<NodeId> stalePeers) {
    public record StampedUpdate(Update update, long appliedMicros) {}

    public record RecoveredTable(UUID table, long sinceMicros, boolean baseline, boolean ready, boolean live) {}

    /** For a node that starts for the first time. */
    public static Recovery none(long incarnation) {
        return new Recovery(incarnation, 0, List.of(), List.of(), List.of());
    }
}
