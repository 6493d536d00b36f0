/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

/** Bytes that make no sense: damaged, hostile, or of another version. */
public final class BadDataException extends Exception {
    private static final long serialVersionUID = 1L;

    public BadDataException(String message) {
        super(message);
    }
}
