/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a run is held against. Most goals are set for 50 ms one way or more; without any delay there is another. */
final class Goals {
    private static final double GOALS_FROM_MILLIS = 50;
    private static final double MEDIAN = 50;
    private static final double TAIL = 99;
    private static final double MOST_SECONDS_TO_FIRST_ROW = 60;
    private static final double MOST_MEGABYTES = 3 * 1024;

    private final Map<Mode, ModeStats> stats;
    private final boolean far;
    private final boolean near;
    private final List<Goal> goals = new ArrayList<>();

    private Goals(Map<Mode, ModeStats> stats, List<Double> delaysMillis) {
        this.stats = stats;
        far = delaysMillis.stream().allMatch(delay -> delay >= GOALS_FROM_MILLIS);
        near = delaysMillis.stream().allMatch(delay -> delay == 0);
    }

    static List<Goal> of(Map<Mode, ModeStats> stats, List<Double> delaysMillis, double firstRowSeconds, double rssMb) {
        Goals all = new Goals(stats, delaysMillis);
        all.ratios();
        all.goals.add(new Goal(
                "first_row_seconds", "seconds to the first row", firstRowSeconds, MOST_SECONDS_TO_FIRST_ROW, false));
        all.goals.add(new Goal("rss_mb", "memory of the nodes, MB", rssMb, MOST_MEGABYTES, false));
        return all.goals.stream().filter(goal -> !Double.isNaN(goal.value())).toList();
    }

    private void ratios() {
        double sequential = reads(Mode.SEQUENTIAL, MEDIAN);
        double quorum = reads(Mode.CASSANDRA_QUORUM, MEDIAN);
        atMost(
                "sequential_read_p50_to_local_one",
                "read p50, sequential : LOCAL_ONE",
                sequential / reads(Mode.CASSANDRA_LOCAL_ONE, MEDIAN),
                far ? 1.3 : Double.NaN);
        atMost(
                "sequential_read_p99_to_local_one",
                "read p99, sequential : LOCAL_ONE",
                reads(Mode.SEQUENTIAL, TAIL) / reads(Mode.CASSANDRA_LOCAL_ONE, TAIL),
                far ? 3 : Double.NaN);
        goals.add(new Goal(
                "quorum_read_p50_to_sequential",
                "read p50, QUORUM : sequential",
                quorum / sequential,
                far ? 50 : near ? 1 : Double.NaN,
                true));
        atMost(
                "sequential_write_p50_to_quorum",
                "write p50, sequential : QUORUM",
                writes(Mode.SEQUENTIAL, MEDIAN) / writes(Mode.CASSANDRA_QUORUM, MEDIAN),
                far ? 1.05 : Double.NaN);
        atMost(
                "meteorshower1_read_p50_to_quorum",
                "read p50, MeteorShower1 : QUORUM",
                reads(Mode.METEORSHOWER1, MEDIAN) / quorum,
                far ? 0.6 : Double.NaN);
        atMost(
                "strict_read_p50_to_quorum",
                "read p50, strict : QUORUM",
                reads(Mode.STRICT, MEDIAN) / quorum,
                far ? 0.65 : Double.NaN);
        atMost(
                "strict_home_read_p50_to_local_one",
                "read p50, strict at home : LOCAL_ONE",
                reads(Mode.STRICT_HOME, MEDIAN) / reads(Mode.CASSANDRA_LOCAL_ONE, MEDIAN),
                far ? 1.5 : Double.NaN);
        atMost(
                "strict_home_read_p99_to_local_one",
                "read p99, strict at home : LOCAL_ONE",
                reads(Mode.STRICT_HOME, TAIL) / reads(Mode.CASSANDRA_LOCAL_ONE, TAIL),
                far ? 4 : Double.NaN);
        atMost(
                "strict_home_write_p50_to_quorum",
                "write p50, strict at home : QUORUM",
                writes(Mode.STRICT_HOME, MEDIAN) / writes(Mode.CASSANDRA_QUORUM, MEDIAN),
                far ? 1.05 : Double.NaN);
    }

    private void atMost(String word, String text, double value, double limit) {
        goals.add(new Goal(word, text, value, limit, false));
    }

    private double reads(Mode mode, double percentile) {
        @Nullable ModeStats measured = stats.get(mode);
        return measured == null ? Double.NaN : measured.total().reads().millisAt(percentile);
    }

    private double writes(Mode mode, double percentile) {
        @Nullable ModeStats measured = stats.get(mode);
        return measured == null ? Double.NaN : measured.total().writes().millisAt(percentile);
    }
}
