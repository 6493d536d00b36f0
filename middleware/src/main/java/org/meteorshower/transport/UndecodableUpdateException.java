/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

/**
 * A well-formed message with an update that cannot be read here, mostly because its table is not known here (yet). The
 * message is lost; the connection is sound.
 */
public final class UndecodableUpdateException extends BadMessageException {
    private static final long serialVersionUID = 1L;

    UndecodableUpdateException(String message) {
        super(message);
    }
}
