/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.time.Duration;
import org.meteorshower.cassandra.ways.Way;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.runtime.Transport;

/**
 * A call of one byte that measures the way to a replica which is not asked for anything. It is answered by the threads
 * that serve forwarded reads, so that one whose reads hang does not seem to be well. A node of an earlier release
 * refuses it: then only reads measure the way to it. Thread-safe.
 */
final class Probe {
    /** Other calls begin with other numbers. */
    private static final byte FORM = 4;

    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private Probe() {}

    static boolean isOne(byte[] request) {
        return request.length == 1 && request[0] == FORM;
    }

    /** Does not block. */
    static void send(Transport transport, Way way) {
        NodeId node = way.node();
        long begunNanos = System.nanoTime();
        var unused = transport.call(node, new byte[] {FORM}, TIMEOUT).whenComplete((answer, failure) -> {
            long nowNanos = System.nanoTime();
            if (failure == null) {
                way.probeAnswered(begunNanos, nowNanos, TimedAnswer.servedMicros(answer));
            } else {
                way.probeFailed(nowNanos - begunNanos >= TIMEOUT.toNanos());
            }
        });
    }
}
