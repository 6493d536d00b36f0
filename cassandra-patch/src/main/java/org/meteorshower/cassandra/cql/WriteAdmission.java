/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.OverloadedException;
import org.jspecify.annotations.Nullable;
import org.meteorshower.runtime.ByteAccount;

/**
 * Which writes into enabled tables a coordinator begins: none that is larger than the nodes can keep for each other,
 * and no more at a time than there is room for. What counts is the values that the client has bound. Thread-safe.
 */
public final class WriteAdmission {
    /** What a write takes beside its values, for each partition. */
    private static final int BYTES_EACH = 1_024;

    /** Of a text, where values are written into it: two digits may stand for a byte. */
    private static final int CHARS_PER_BYTE = 2;

    private final long largestBytes;
    private final ByteAccount waiting;

    /** @param largestBytes what one partition may be given by one statement or batch */
    public WriteAdmission(long largestBytes, ByteAccount waiting) {
        this.largestBytes = largestBytes;
        this.waiting = waiting;
    }

    /** @throws InvalidRequestException if it is larger than any node would take; it has no effect */
    void check(long bytes) {
        if (bytes > largestBytes) {
            throw tooLarge(bytes + " bytes for one partition");
        }
    }

    /** For a text with values in it, before it is known how large they are. */
    void checkText(String text) {
        if (text.length() / CHARS_PER_BYTE > largestBytes) {
            throw tooLarge("a text of " + text.length() + " characters");
        }
    }

    private InvalidRequestException tooLarge(String what) {
        return Refusal.refused("the write is " + what + ", and nodes keep at most " + largestBytes
                + " bytes of one write for each other (memory.largest_write_mb): cut the value or the batch into smaller"
                + " ones. Nothing was written");
    }

    /**
     * @param partitions what each of the write's is given, in bytes
     * @return what it holds, for {@link #ended}
     * @throws InvalidRequestException if a part of it is larger than any node would take; it has no effect
     * @throws OverloadedException if there is no room now; it has no effect
     */
    long admit(Collection<Long> partitions) {
        long bytes = 0;
        for (long each : partitions) {
            check(each);
            bytes += each + BYTES_EACH;
        }
        if (!waiting.take(bytes)) {
            throw Refusal.overloaded("writes of " + waiting.used() + " bytes wait at this node, and " + waiting.limit()
                    + " are the most (memory.waiting_writes)");
        }
        return bytes;
    }

    /** The write is over, whatever came of it. */
    void ended(long held) {
        waiting.giveBack(held);
    }

    /** What the values take that a client has bound. */
    static long bytesOf(List<@Nullable ByteBuffer> values) {
        long bytes = 0;
        for (ByteBuffer value : values) {
            bytes += value == null ? 0 : value.remaining();
        }
        return bytes;
    }
}
