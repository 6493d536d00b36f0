/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.MutationId;
import org.meteorshower.protocol.PartitionKey;

/** Where the content of a mutation that is not retired lies. Part of the list of its segment. */
final class LiveEntry {
    final PartitionKey key;
    final MutationId id;
    /** Names the mutation inside the journal; stays the same when its content is moved. */
    final long number;

    Segment segment;
    int offset;
    int bodyBytes;

    @Nullable
    LiveEntry previous;

    @Nullable
    LiveEntry next;

    LiveEntry(PartitionKey key, MutationId id, long number, Segment segment, int offset, int bodyBytes) {
        this.key = key;
        this.id = id;
        this.number = number;
        this.segment = segment;
        this.offset = offset;
        this.bodyBytes = bodyBytes;
    }
}
