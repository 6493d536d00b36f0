/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/**
 * What things take on the heap, in bytes: estimates for a 64-bit Java with compressed references and objects in steps
 * of 8 bytes, three to five replicas. {@code FootprintTest} holds them against a real heap.
 */
final class Footprint {
    /**
     * A record beside its key's bytes and its content: itself 120, its stamps and acknowledgements 80, its name 32; its
     * key 72; the partition's state and its place among the partitions 130; its place in rotation 8; its entry in the
     * journal's index 112.
     */
    private static final int RECORD = 554;

    /**
     * A mutation that is remembered as done with: its entry, its name in two parts, and its key, which nothing else may
     * hold.
     */
    static final int REMEMBERED = 260;

    /** A number of a request, in the window of messages. */
    static final int RECEIPT = 28;

    /** An announcement in a message that is kept, with a name and a key that nothing else may hold. */
    static final int ANNOUNCEMENT = 200;

    /** An announcement in a message that is kept, of a record that is here. */
    static final int ANNOUNCED_RECORD = 64;

    /** A message that is kept, without its announcements. */
    static final int MESSAGE = 160;

    /** A read under way at this node. */
    static final int READ = 400;

    /** The name of a stirred partition that a scan has noted, without its bytes: its entry, and the key. */
    static final int STIRRED = 120;

    /** A write under way at this node, of one partition. */
    static final int WRITE = 480;

    /** What is kept of one stream of messages may take this part of what records may. */
    private static final int STREAM_PART = 32;

    private static final long LEAST_STREAM_BYTES = 64 << 10;

    private Footprint() {}

    /** What the messages of one stream may take that are kept for a peer to ask for again, or came ahead of a gap. */
    static long mostOfAStream(Settings settings) {
        return Math.max(LEAST_STREAM_BYTES, settings.recordsBytes() / STREAM_PART);
    }

    /** A record without its content. */
    static int indexBytes(PartitionKey key) {
        return RECORD + key.bytes().length;
    }
}
