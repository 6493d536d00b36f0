/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.config;

/**
 * How the repairs that nodes run by themselves yield to clients.
 *
 * @param readP99Micros what the 99th percentile of clients' reads at this node is to stay below meanwhile; 0: one and a
 *     half times what it was before
 * @param floor the least share of the full speed that is kept, above 0 and up to 1, so that they end
 * @param cassandra whether Cassandra's throughput of compaction (by which repairs compare, too) and of streams is
 *     lowered with them
 * @param byReading whether replicas that differ in little are brought together by reads, and not by Cassandra's repair
 */
public record BackgroundOptions(long readP99Micros, double floor, boolean cassandra, boolean byReading) {
    static BackgroundOptions of(OptionMap background) throws ConfigException {
        double floor = background.fraction("floor", 0.25);
        if (floor < LEAST_FLOOR) {
            throw background.wrong("floor", floor, LEAST_FLOOR + " to 1: with less it would not end");
        }
        return new BackgroundOptions(
                background.millisAsMicros("read_p99_ms", 0, 0, 600_000),
                floor,
                background.bool("cassandra", false),
                background.bool("by_reading", true));
    }

    private static final double LEAST_FLOOR = 0.01;
}
