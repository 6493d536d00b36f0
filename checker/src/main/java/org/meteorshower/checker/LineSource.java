/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Cuts a stream into lines of strict UTF-8, none longer than a bound, so that no input can exhaust memory. */
final class LineSource {
    private final InputStream in;
    private final String file;
    private final int maxLineBytes;
    private final CharsetDecoder utf8 = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    private final byte[] buffer = new byte[1 << 16];
    private int position;
    private int limit;
    private byte[] lineBytes = new byte[512];
    private int line;
    private boolean endedByNewline = true;

    LineSource(InputStream in, String file, int maxLineBytes) {
        this.in = in;
        this.file = file;
        this.maxLineBytes = maxLineBytes;
    }

    /** The next line without its end, or null at the end of the stream. */
    @Nullable
    String next() throws IOException, BadHistoryException {
        int length = 0;
        line++;
        while (true) {
            if (position == limit) {
                position = 0;
                limit = Math.max(0, in.read(buffer));
                if (limit == 0) {
                    endedByNewline = false;
                    return length == 0 ? null : decode(length);
                }
            }
            int from = position;
            while (position < limit && buffer[position] != '\n') {
                position++;
            }
            length = append(from, length);
            if (position < limit) {
                position++;
                return decode(length);
            }
        }
    }

    /** Number of the line that {@link #next} returned last, from 1. */
    int line() {
        return line;
    }

    /** Whether the last line was complete. */
    boolean endedByNewline() {
        return endedByNewline;
    }

    private int append(int from, int length) throws BadHistoryException {
        int total = length + position - from;
        if (total > maxLineBytes) {
            throw new BadHistoryException(
                    file, line, "the line is longer than " + maxLineBytes + " bytes; one operation stands on a line");
        }
        if (total > lineBytes.length) {
            lineBytes = Arrays.copyOf(lineBytes, Math.max(total, lineBytes.length * 2));
        }
        System.arraycopy(buffer, from, lineBytes, length, position - from);
        return total;
    }

    private String decode(int length) throws BadHistoryException {
        try {
            return utf8.decode(ByteBuffer.wrap(lineBytes, 0, length)).toString();
        } catch (CharacterCodingException e) {
            throw new BadHistoryException(file, line, "not UTF-8; a history is a text file of JSON lines");
        }
    }
}
