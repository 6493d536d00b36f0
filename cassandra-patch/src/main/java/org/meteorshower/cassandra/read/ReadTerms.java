/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.read;

import org.meteorshower.protocol.ReadMode;

/**
 * On what terms a client's read is served.
 *
 * @param tokenMicros the session token s
 * @param deadlineNanos on the elapsed clock of this node
 */
public record ReadTerms(long tokenMicros, ReadMode mode, long deadlineNanos) {}
