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
}
