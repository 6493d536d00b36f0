/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.background;

import org.meteorshower.cassandra.config.BackgroundOptions;

/**
 * Which share of its full speed the background work may have, by what clients' reads take: less by two fifths as soon
 * as they take too long, more by a tenth of all each second while they do not. What it goes by is an objective, or what
 * was usual before. After BwMan: the traffic that keeps replicas alike comes second to that of clients. Not
 * thread-safe.
 */
final class Yielding {
    private static final double SLOWER = 0.6;
    private static final double FASTER = 0.1;
    private static final double AT_FIRST = 0.5;
    private static final double TOLERATED = 1.5;

    /** Of the newest value in what is usual. */
    private static final double WEIGHT = 0.125;

    private final BackgroundOptions options;
    private double usualMicros;
    private double share = 1;
    private boolean working;

    /** Since the last word on reads. */
    private int seconds;

    Yielding(BackgroundOptions options) {
        this.options = options;
    }

    /** @param readP99Micros as {@link ClientReads#p99Micros} gives it */
    void idle(long readP99Micros) {
        working = false;
        share = 1;
        if (readP99Micros > 0) {
            usualMicros += (readP99Micros - usualMicros) * (usualMicros == 0 ? 1 : WEIGHT);
        }
    }

    /** The same while there is work, once a second. */
    void working(long readP99Micros) {
        double objective = objectiveMicros();
        seconds++;
        if (!working) {
            working = true;
            share = objective > 0 ? Math.max(options.floor(), AT_FIRST) : 1;
            seconds = 0;
        } else if (readP99Micros > 0 && objective > 0 && readP99Micros > objective) {
            share = Math.max(options.floor(), share * SLOWER);
            seconds = 0;
        } else if (readP99Micros != ClientReads.NOT_YET) {
            share = Math.min(1, share + FASTER * seconds);
            seconds = 0;
        }
    }

    /** What reads are to stay below; 0 where that is not known. */
    double objectiveMicros() {
        return options.readP99Micros() > 0 ? options.readP99Micros() : TOLERATED * usualMicros;
    }

    /** Above 0, and 1 at most. */
    double share() {
        return share;
    }
}
