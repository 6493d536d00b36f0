/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/**
 * One entry of a status message (§4.2.2, Payload): its sender has applied this mutation, at this time.
 *
 * @param oldestTimestampMicros see {@link Update#oldestTimestampMicros}
 * @param shape see {@link Update#shape}
 * @param row see {@link Update#row}
 * @param appliedMicros the hybrid clock value that the sender stamped on the mutation when it applied it
 */
public record Announcement(
        PartitionKey key, MutationId id, long oldestTimestampMicros, long shape, long row, long appliedMicros) {
    public static Announcement of(Update update, long appliedMicros) {
        return new Announcement(
                update.key(), update.id(), update.oldestTimestampMicros(), update.shape(), update.row(), appliedMicros);
    }
}
