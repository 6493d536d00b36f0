/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.placement;

import org.apache.cassandra.dht.Token;
import org.meteorshower.protocol.ReplicaGroup;

/**
 * A part of a range of tokens that the same replicas hold. It begins where the one before ends. Immutable.
 *
 * @param to its last token; the least token there is stands for the end of the ring
 */
public record Piece(Token to, ReplicaGroup group) {}
