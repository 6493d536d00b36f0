/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.ways;

import org.meteorshower.protocol.NodeId;

/**
 * A replica that may be asked.
 *
 * @param guessMicros what to take for its round trip while nothing is known of it
 */
public record Candidate(NodeId node, long guessMicros) {}
