/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.top;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one node told at one time. Counters are since its start. Immutable by agreement.
 *
 * @param nanos when, on the scale of elapsed time
 * @param node the row of meteorshower.node, by column
 * @param reads by keyspace, table and mode
 * @param writes by keyspace and table
 * @param memory by user of the heap
 * @param transactions null where they are not configured
 * @param refused requests, of all kinds
 * @param troubles what an operator should look at, in whole sentences
 */
record Reading(
        long nanos,
        Map<String, Long> node,
        Map<String, Reads> reads,
        Map<String, Writes> writes,
        Map<String, MemoryReading> memory,
        @Nullable TransactionsReading transactions,
        List<Peer> peers,
        long refused,
        List<String> troubles) {

    /** Of one table in one mode; latencies in microseconds, null where nothing was read in the last minute. */
    record Reads(
            long local,
            long older,
            long waited,
            long pulled,
            long forwarded,
            long refused,
            @Nullable Long latencyP50,
            @Nullable Long latencyP99,
            @Nullable Long stalenessP50) {
        long served() {
            return local + older + waited + pulled + forwarded;
        }
    }

    /** Of one table. */
    record Writes(
            long acknowledged,
            long unknown,
            long refused,
            long failed,
            @Nullable Long latencyP50,
            @Nullable Long latencyP99) {}

    /** One peer of the node's; null where it is not known. */
    record Peer(
            String address,
            String state,
            String stream,
            @Nullable Long lagMicros,
            @Nullable Long skewMicros) {}
}
