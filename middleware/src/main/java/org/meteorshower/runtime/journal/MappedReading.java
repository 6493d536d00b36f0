/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import java.nio.ByteBuffer;
import org.meteorshower.protocol.Update;
import org.meteorshower.runtime.Journal;
import org.meteorshower.runtime.UpdateCodec;

/** The content of one mutation in a segment, which stays as long as this is not closed. Used by one thread. */
final class MappedReading implements Journal.Reading {
    private final Segment segment;
    private final ByteBuffer bytes;
    private final int offset;
    private final int bodyBytes;
    private final UpdateCodec codec;
    private boolean closed;

    /** On the journal's thread. */
    MappedReading(LiveEntry entry, UpdateCodec codec) {
        segment = entry.segment;
        bytes = segment.openToRead();
        offset = entry.offset;
        bodyBytes = entry.bodyBytes;
        this.codec = codec;
    }

    @Override
    public Update read() {
        return journaled().update();
    }

    /** With its stamp. */
    Journal.JournaledUpdate journaled() {
        byte[] body = segment.copyOf(bytes, offset, bodyBytes);
        if (body == null) {
            throw new JournalDamagedException(segment.path(), offset, "an entry is not readable any more");
        }
        int header = EntryType.APPLIED_HEADER_BYTES;
        Update update =
                codec.decode(ByteBuffer.wrap(body, header, body.length - header).slice());
        return new Journal.JournaledUpdate(update, ByteBuffer.wrap(body).getLong(1 + 8));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            segment.closeReader();
        }
    }
}
