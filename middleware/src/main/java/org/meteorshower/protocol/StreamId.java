/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import org.jspecify.annotations.Nullable;

/**
 * Names one stream of status messages between two nodes. A node takes a new, larger incarnation at each start; the
 * number tells apart the streams that follow each other between the same two incarnations.
 *
 * <p>What an earlier incarnation announced stays true, but a message of an earlier stream never extends coverage.
 */
public record StreamId(long senderIncarnation, long receiverIncarnation, long number) {
    // By hand: the generated ones are slower until they are inlined, and each status message is compared twice.
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || (other instanceof StreamId that
                        && number == that.number
                        && senderIncarnation == that.senderIncarnation
                        && receiverIncarnation == that.receiverIncarnation);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(31 * (31 * senderIncarnation + receiverIncarnation) + number);
    }
}
