/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

/** Why a node does not take up a connection; the text is told to the other end. */
final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
        super(message);
    }
}
