/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

/**
 * What protocol messages to one peer took, since the connection with it was first wanted, or those from it. Immutable.
 * Calls and their answers (forwarded reads) are no part of it, nor are handshakes, nor what TLS and TCP add.
 *
 * @param messages handed to the network, or taken from it
 * @param bytes of these, frames included
 */
public record PeerTraffic(long messages, long bytes) {}
