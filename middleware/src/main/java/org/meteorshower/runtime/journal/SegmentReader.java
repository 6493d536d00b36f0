/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import java.nio.ByteBuffer;

/** Walks over a segment's entries at start, and tells a tail that was being written from damage. */
final class SegmentReader {
    /** Called for each entry in order; the body stands before its type. */
    @FunctionalInterface
    interface Visitor {
        void entry(int offset, ByteBuffer body);
    }

    private SegmentReader() {}

    /**
     * Visits all entries and sets the segment's position behind the last one.
     *
     * @param safeUntil up to where an entry that is not readable is damage in any case
     * @param last whether this is the newest segment: it may end with an entry that was never completed
     * @return whether the segment is sealed
     * @throws JournalDamagedException if something other than such a tail is wrong
     */
    static boolean read(Segment segment, int safeUntil, boolean last, Visitor visitor) {
        int offset = Segment.FIRST_OFFSET;
        ByteBuffer body = segment.hasMagic() ? segment.entryAt(offset) : null;
        while (body != null && !Segment.isEnd(body)) {
            int length = body.remaining();
            visitor.entry(offset, body);
            offset += Segment.sizeOf(length);
            body = segment.entryAt(offset);
        }
        segment.continueAt(offset);
        if (body != null) {
            return true;
        }
        if (!last) {
            throw new JournalDamagedException(segment.path(), offset, "an entry is not readable");
        }
        if (offset >= safeUntil) {
            return false; // what was not forced when the power went, of which any page may be there
        }
        // At most one entry was being written when the process died. If any entry follows, this is no torn tail.
        for (int later = offset + 8; later <= segment.capacity() - Segment.sizeOf(1); later += 8) {
            if (segment.entryAt(later) != null) {
                throw new JournalDamagedException(
                        segment.path(), offset, "an entry is not readable, though one at byte " + later + " is");
            }
        }
        return false;
    }
}
