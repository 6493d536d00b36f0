/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc;

/** Whom a last name means could not be read: whatever asked for it has done nothing. */
public final class UnknownNameException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** @param reason for people */
    public UnknownNameException(String reason) {
        super(reason);
    }
}
