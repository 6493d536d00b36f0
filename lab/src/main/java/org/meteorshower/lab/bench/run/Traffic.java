/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.run;

/**
 * What status messages, and the protocol's others, took in one run, as the nodes count it themselves, of all tables
 * that are enabled there. Immutable.
 *
 * @param seconds between the two looks
 * @param nodes that told
 * @param links pairs of a node and a peer that it sent to meanwhile
 * @param messages sent by all nodes
 * @param bytes sent by all nodes
 * @param threadMicros processor time of MeteorShower's own threads at all nodes
 */
public record Traffic(double seconds, int nodes, long links, long messages, long bytes, long threadMicros) {
    /** How many peers a node sends to. */
    public double peers() {
        return (double) links / nodes;
    }

    /** A second, by one node. */
    public double messageRate() {
        return messages / seconds / nodes;
    }

    /** A second, by one node. */
    public double byteRate() {
        return bytes / seconds / nodes;
    }

    /** All bytes, whatever they are for, by write and link; NaN where nothing is written or sent. */
    public double bytesPerWriteAndPeer(double writesPerSecond) {
        return writesPerSecond <= 0 || links == 0 ? Double.NaN : bytes / seconds / writesPerSecond / links;
    }

    /** Of one processor, what the threads take that MeteorShower has of its own, at one node. */
    public double threadShare() {
        return threadMicros / 1e6 / seconds / nodes;
    }
}
