/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime;

import java.util.ArrayDeque;
import java.util.Queue;
import org.meteorshower.protocol.Message;
import org.meteorshower.protocol.NodeId;

/**
 * Lets no message leave before what it says is as safe in the journal as the journal keeps things (output commit):
 * after a power failure this node must remember what it has told. Messages keep their order. Thread-safe.
 */
final class SafeSending {
    /** Few, since some bring a mutation's data along: a disk that stands still soon holds up the node. */
    static final int MOST_HELD = 256;

    private record Held(long number, NodeId to, Message message) {}

    private final Safety safety;
    private final Transport transport;
    private final Queue<Held> held = new ArrayDeque<>();

    SafeSending(Safety safety, Transport transport) {
        this.safety = safety;
        this.transport = transport;
    }

    void send(NodeId to, Message message) {
        long number = safety.written();
        if (number == 0) {
            transport.send(to, message);
            return;
        }
        synchronized (this) {
            if (held.isEmpty() && safety.isSafe(number)) {
                transport.send(to, message);
                return;
            }
            held.add(new Held(number, to, message));
            if (held.size() <= MOST_HELD) {
                return;
            }
        }
        safety.await(number);
        release();
    }

    /** More is safe than before. */
    synchronized void release() {
        Held next = held.peek();
        while (next != null && safety.isSafe(next.number)) {
            held.remove();
            transport.send(next.to, next.message);
            next = held.peek();
        }
    }
}
