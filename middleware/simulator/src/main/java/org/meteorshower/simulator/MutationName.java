/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import org.jspecify.annotations.Nullable;
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

    // By hand: the generated ones are slower until they are inlined, and every stamp and announcement is looked up.
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other || (other instanceof MutationName that && id.equals(that.id) && key.equals(that.key));
    }

    @Override
    public int hashCode() {
        return 31 * key.hashCode() + id.hashCode();
    }
}
