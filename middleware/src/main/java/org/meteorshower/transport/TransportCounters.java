/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transport;

import java.util.concurrent.atomic.LongAdder;

/** What a transport has done since its start, for metrics and tests. Thread-safe. */
public final class TransportCounters {
    /** Messages handed to the network. */
    public final LongAdder sent = new LongAdder();
    /** Messages handed to the receiver. */
    public final LongAdder received = new LongAdder();
    /** Messages dropped because too much waited for their peer. */
    public final LongAdder droppedFull = new LongAdder();
    /** Messages dropped because their peer was not reached or not known. */
    public final LongAdder droppedUnreachable = new LongAdder();
    /** Messages lost or cut off by the emulated network. */
    public final LongAdder droppedByWan = new LongAdder();
    /** Messages whose update could not be read here. */
    public final LongAdder undecodable = new LongAdder();
    /** Connections closed because of bytes that made no sense. */
    public final LongAdder badFrames = new LongAdder();
    /** Handshakes that this node refused. */
    public final LongAdder refused = new LongAdder();
    /** Handshakes in which another node refused this one. */
    public final LongAdder refusedByPeer = new LongAdder();
    /** Connections that passed the handshake, either way. */
    public final LongAdder connected = new LongAdder();
    /** Exceptions thrown by the receiver. */
    public final LongAdder receiverFailures = new LongAdder();
    /** Calls of this node that brought no answer. */
    public final LongAdder callsFailed = new LongAdder();
}
