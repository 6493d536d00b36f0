/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import org.meteorshower.protocol.Announcement;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;

/** A mutation among all mutations of the run. */
record MutationName(PartitionKey key, MutationId id) {
    static MutationName of(CellUpdate update) {
        return new MutationName(update.key(), update.id());
    }

    static MutationName of(Announcement announcement) {
        return new MutationName(announcement.key(), announcement.id());
    }
}
