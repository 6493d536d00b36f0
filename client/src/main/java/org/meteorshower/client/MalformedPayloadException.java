/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

/**
 * Bytes of the MeteorShower payload that cannot be understood: a token, or an entry of a response. The session keeps
 * the token it had. It means that client and coordinator disagree on the payload's version, or that the bytes were cut
 * or altered on the way.
 */
public final class MalformedPayloadException extends RuntimeException {

    public MalformedPayloadException(String message) {
        super(message);
    }

    public MalformedPayloadException(String message, Throwable cause) {
        super(message, cause);
    }
}
