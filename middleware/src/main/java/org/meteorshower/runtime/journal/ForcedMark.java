/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Up to where the newest segment is on disk, in a small file beside it. An entry before that which cannot be read is
 * damaged. One behind it was being written when the power went, even where a later one can be read: the kernel writes
 * pages in any order.
 *
 * <p>Itself forced only when a segment begins: after a loss of power it may say less than there is. Thread-safe.
 */
final class ForcedMark {
    private static final String FILE = "forced";
    private static final int BYTES = 24;
    private static final long CHECK = 0x4d53_464f_5243_4544L;

    private final MappedByteBuffer bytes;

    ForcedMark(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(
                directory.resolve(FILE),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, BYTES);
        }
    }

    /** This segment is the newest from now on, and nothing of it is forced yet. Waits for the disk, if anybody does. */
    synchronized void begin(Segment segment, SyncPolicy policy) {
        if (policy.kind() != SyncPolicy.Kind.NEVER) {
            note(segment.number, 0);
            bytes.force();
        }
    }

    /** Forces them all, oldest first, and notes it. */
    synchronized void force(Iterable<Segment> segments) {
        long number = 0;
        int until = 0;
        for (Segment segment : segments) {
            until = segment.force();
            number = segment.number;
        }
        note(number, until);
    }

    private void note(long number, int until) {
        bytes.putLong(0, number).putLong(8, until).putLong(16, number ^ until ^ CHECK);
    }

    /** Up to where the newest segment is known to be on disk; all of it where nothing was noted. */
    int safeUntil(Segment newest) {
        long number = bytes.getLong(0);
        long until = bytes.getLong(8);
        boolean isNoted = (number ^ until ^ CHECK) == bytes.getLong(16);
        if (!isNoted || number > newest.number) {
            return Integer.MAX_VALUE;
        }
        return number == newest.number ? (int) until : 0;
    }
}
