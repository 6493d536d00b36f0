/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

/**
 * There is no room for an entry. Where {@code applied} throws this, nothing was remembered and the mutation must not be
 * applied: its sender will offer it again. The journal goes on by itself when mutations retire or the disk has room.
 */
public final class JournalFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    JournalFullException(String message) {
        super(message);
    }

    JournalFullException(String message, Throwable cause) {
        super(message, cause);
    }

    static JournalFullException tooLarge(int bytes, int segmentBytes) {
        return new JournalFullException("a mutation of " + bytes + " bytes does not fit into a journal segment of "
                + segmentBytes + "; raise the segment size, or write smaller mutations.");
    }

    static JournalFullException atLimit(long maxBytes, int mutations) {
        return new JournalFullException("the journal has reached its limit of " + maxBytes + " bytes with " + mutations
                + " mutations that some replica has not confirmed; bring that replica back, or raise the"
                + " limit. Until then mutations of enabled tables are refused.");
    }
}
