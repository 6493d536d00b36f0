/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.wan;

/** How a sender takes loss on the way. */
public enum Traffic {
    /**
     * Sent over TCP by somebody who counts on it: a lost packet is sent again, so a loss is a longer delay, and what is
     * behind it waits.
     */
    STREAM,
    /** Sent by somebody who numbers messages and asks for them again: a loss is a loss. */
    DATAGRAM
}
