/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

/** The first byte of a frame. The frames of the handshake are bare, the others end with a tag ({@link FrameSeal}). */
final class FrameType {
    /** From the connector: {@link Hello}. */
    static final int HELLO = 1;
    /** From the acceptor: its {@link Hello}, and the proof that it knows the secret. */
    static final int WELCOME = 2;
    /** From the connector: its proof. The connection is ready. */
    static final int PROOF = 3;
    /** From either, during the handshake: why it hangs up. */
    static final int REFUSED = 4;

    /** A protocol message. */
    static final int MESSAGE = 10;
    /** A number, and a request. */
    static final int CALL = 11;
    /** The call's number, and the answer. */
    static final int ANSWER = 12;
    /** The call's number, and why there is no answer. */
    static final int FAILURE = 13;

    static final int PING = 14;
    static final int PONG = 15;

    /** Bytes of which the transport knows nothing; either end sends them. */
    static final int PARCEL = 16;

    private FrameType() {}
}
