/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.UUID;

/**
 * What the simulated schema says of the table: which epoch it is in. As {@code TableEpoch} in the plugin.
 *
 * @param writtenMicros when, in true time; of two the later one counts
 * @param number larger than that of every earlier epoch that its writer knew
 * @param moved whether it follows another one
 * @param ring who is on the ring that it is about
 */
record Epoch(long writtenMicros, long number, boolean moved, Ring ring) {
    Epoch next(Ring nextRing, long nowMicros) {
        return new Epoch(nowMicros, Math.max(number + 1, nowMicros / 1_000), true, nextRing.still());
    }

    /** The table's name in the protocol. */
    UUID name(Bug bug) {
        return switch (bug) {
            case EPOCH_NAMED_BY_RING_ALONE -> new UUID(8, ring.digest().hashCode());
            case ONE_NAME_FOR_ALL_EPOCHS -> new UUID(8, 8);
            default -> new UUID(number, ring.digest().hashCode());
        };
    }

    @Override
    public String toString() {
        return "epoch " + number + " of the ring " + ring.digest();
    }
}
