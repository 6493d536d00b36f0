/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

/**
 * @param segmentBytes the size of a segment file, 64 KiB..1 GiB; no mutation may be larger. May change between starts
 * @param maxBytes what the journal may take on disk before it refuses mutations, at least four segments. The small
 *     entries that retire mutations are written beyond it too, else a full journal could not become empty
 * @param sync when to force to disk
 */
public record JournalOptions(int segmentBytes, long maxBytes, SyncPolicy sync) {
    /** The segment holds the largest mutation of a default Cassandra (16 MiB) and as much again. */
    public static final JournalOptions DEFAULTS = new JournalOptions(32 << 20, 4L << 30, SyncPolicy.batch(1_000));

    public JournalOptions {
        if (segmentBytes < 64 << 10 || segmentBytes > 1 << 30) {
            throw new IllegalArgumentException(
                    "a journal segment must be 65536..1073741824 bytes, not " + segmentBytes);
        }
        if (maxBytes < 4L * segmentBytes) {
            throw new IllegalArgumentException("the journal's limit of " + maxBytes
                    + " bytes must allow four segments of " + segmentBytes + "; raise it or lower the segment size");
        }
    }

    int maxSegments() {
        return (int) Math.min(Integer.MAX_VALUE - 8, maxBytes / segmentBytes);
    }

    /** These, with another limit. */
    JournalOptions withMaxBytes(long changed) {
        return new JournalOptions(segmentBytes, changed, sync);
    }
}
