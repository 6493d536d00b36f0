/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * One mapped file of entries. Used by one thread at a time, but for {@link #force}.
 *
 * <p>An entry is {@code length, check, crc, body}, begins at a multiple of 8, and is valid if {@code check} fits its
 * length, its place and its segment's number, and {@code crc} its body. So nothing that lay in the file before, and
 * nothing inside a body, can pass for an entry, and files can be used again without being cleared.
 */
final class Segment {
    /** "MSJRNL", and the version of the format. */
    static final long MAGIC = 0x4d53_4a52_4e4c_0001L;

    static final int FIRST_OFFSET = 8;
    static final int HEADER_BYTES = 12;
    private static final byte END = 127;
    /** The room that the entry {@link #END} takes; kept free until the segment is sealed. */
    static final int END_BYTES = sizeOf(1);

    final long number;
    private final MappedByteBuffer bytes;
    private final CRC32C crc = new CRC32C();
    private Path path;
    /** Where the next entry goes. Volatile for {@link #force}. */
    private volatile int position = FIRST_OFFSET;

    private int forcedPosition;
    private boolean sealed;

    /** The unretired mutations here, in order. */
    @Nullable
    LiveEntry firstLive;

    @Nullable
    LiveEntry lastLive;

    long liveBytes;

    /** How many read it on threads of their own: until there is none, the file is not used for anything else. */
    private final AtomicInteger readers = new AtomicInteger();

    Segment(long number, Path path, MappedByteBuffer bytes) {
        this.number = number;
        this.path = path;
        this.bytes = bytes;
    }

    static int sizeOf(int bodyBytes) {
        return (HEADER_BYTES + bodyBytes + 7) & ~7;
    }

    Path path() {
        return path;
    }

    MappedByteBuffer bytes() {
        return bytes;
    }

    int position() {
        return position;
    }

    int capacity() {
        return bytes.capacity();
    }

    void start() {
        bytes.putLong(0, MAGIC);
    }

    boolean hasMagic() {
        return bytes.getLong(0) == MAGIC;
    }

    boolean hasRoomFor(int bodyBytes) {
        return !sealed && (long) position + sizeOf(bodyBytes) + END_BYTES <= bytes.capacity();
    }

    /** Where to write the body of the next entry; to be followed by {@link #commit}. There must be room. */
    ByteBuffer body(int bodyBytes) {
        int from = position + HEADER_BYTES;
        bytes.limit(from + bodyBytes).position(from);
        return bytes;
    }

    /** Makes the body that was written an entry, and returns its offset. */
    int commit(int bodyBytes) {
        int offset = position;
        bytes.position(offset + HEADER_BYTES);
        crc.reset();
        crc.update(bytes);
        bytes.clear();
        bytes.putInt(offset + 8, (int) crc.getValue());
        bytes.putInt(offset + 4, check(bodyBytes, offset));
        bytes.putInt(offset, bodyBytes);
        position = offset + sizeOf(bodyBytes);
        return offset;
    }

    /**
     * Marks the segment as complete, so that it takes no more entries. Only such a segment may be followed by another.
     */
    void seal() {
        if (!sealed) {
            body(1).put(END);
            commit(1);
            sealed = true;
        }
    }

    /** The body of the entry at this offset, or null if there is no valid entry. Allocates no more than a view. */
    @Nullable
    ByteBuffer entryAt(int offset) {
        if (offset < FIRST_OFFSET || offset > capacity() - sizeOf(1)) {
            return null;
        }
        int length = bytes.getInt(offset);
        if (length < 1
                || length > capacity() - offset - HEADER_BYTES
                || bytes.getInt(offset + 4) != check(length, offset)) {
            return null;
        }
        ByteBuffer body = bytes.slice(offset + HEADER_BYTES, length);
        crc.reset();
        crc.update(body);
        return (int) crc.getValue() == bytes.getInt(offset + 8) ? body.rewind() : null;
    }

    /** The file's bytes for one reader, which then must call {@link #closeReader}. */
    ByteBuffer openToRead() {
        readers.incrementAndGet();
        return bytes.duplicate().clear();
    }

    void closeReader() {
        readers.decrementAndGet();
    }

    boolean isRead() {
        return readers.get() > 0;
    }

    /**
     * A copy of the body of an entry; null if it is not that. Any thread.
     *
     * @param from of {@link #openToRead}
     */
    byte @Nullable [] copyOf(ByteBuffer from, int offset, int bodyBytes) {
        if (from.getInt(offset) != bodyBytes || from.getInt(offset + 4) != check(bodyBytes, offset)) {
            return null;
        }
        byte[] body = new byte[bodyBytes];
        from.get(offset + HEADER_BYTES, body);
        CRC32C sum = new CRC32C();
        sum.update(body);
        return (int) sum.getValue() == from.getInt(offset + 8) ? body : null;
    }

    static boolean isEnd(ByteBuffer body) {
        return body.get(0) == END;
    }

    /** Used at start: the entries before this offset are what the segment holds. */
    void continueAt(int offset) {
        position = offset;
    }

    private int check(int length, int offset) {
        long mixed = (number * 0x9e37_79b9_7f4a_7c15L) ^ (((long) offset << 32) | length);
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58_476d_1ce4_e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d0_49bb_1331_11ebL;
        return (int) (mixed >>> 32);
    }

    void link(LiveEntry entry) {
        entry.segment = this;
        entry.previous = lastLive;
        entry.next = null;
        if (lastLive == null) {
            firstLive = entry;
        } else {
            lastLive.next = entry;
        }
        lastLive = entry;
        liveBytes += sizeOf(entry.bodyBytes);
    }

    void unlink(LiveEntry entry) {
        if (entry.previous == null) {
            firstLive = entry.next;
        } else {
            entry.previous.next = entry.next;
        }
        if (entry.next == null) {
            lastLive = entry.previous;
        } else {
            entry.next.previous = entry.previous;
        }
        liveBytes -= sizeOf(entry.bodyBytes);
    }

    /** Forces to disk what was written since the last time; returns up to where all is there. Any thread. */
    synchronized int force() {
        int until = position;
        if (until > forcedPosition) {
            bytes.force(forcedPosition, until - forcedPosition);
            forcedPosition = until;
        }
        return forcedPosition;
    }
}
