/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

/** Bytes from the network that are not what this version sends: truncated, oversized, of unknown type, or forged. */
public class BadMessageException extends Exception {
    private static final long serialVersionUID = 1L;

    BadMessageException(String message) {
        super(message);
    }
}
