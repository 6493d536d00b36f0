/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/**
 * Names one stream of status messages between two nodes. A node takes a new, larger incarnation at each start; the
 * number tells apart the streams that follow each other between the same two incarnations.
 *
 * <p>What an earlier incarnation announced stays true, but a message of an earlier stream never extends coverage.
 */
public record StreamId(long senderIncarnation, long receiverIncarnation, long number) {}
