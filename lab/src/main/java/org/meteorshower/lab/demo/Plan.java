/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.demo;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Which mode runs when. Immutable.
 *
 * <p>First every mode is heated: the nodes compile what it uses, and no mode is measured cold against warm ones. Then
 * come two rounds, the second in reverse, so that a machine that gets slower or faster meanwhile does so for all alike.
 * A mode that MeteorShower serves is measured for the seconds asked for; plain Cassandra's, of which nothing needs to
 * be proved, for two fifths of that.
 *
 * @param heating one short phase a mode, mostly reads
 * @param measured the rounds, one after the other
 */
record Plan(List<Phase> heating, List<Phase> measured) {
    private static final int ROUNDS = 2;
    private static final int SECONDS_FOR_TWO_ROUNDS = 6;
    private static final double SHARE_OF_OTHERS = 0.4;
    private static final long LEAST_MILLIS = 1_000;
    private static final long SETTLE_MILLIS = 400;
    private static final long HEATING_MILLIS = 800;
    private static final double READS_WHEN_HEATING = 0.9;

    static Plan of(List<Mode> modes, int seconds, double readShare) {
        List<Phase> heating = modes.stream()
                .map(mode -> new Phase(mode, 0, READS_WHEN_HEATING, HEATING_MILLIS, 0))
                .toList();
        int rounds = seconds >= SECONDS_FOR_TWO_ROUNDS ? ROUNDS : 1;
        List<Phase> measured = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            List<Mode> order = new ArrayList<>(modes);
            if (round % 2 == 0) {
                Collections.reverse(order);
            }
            for (Mode mode : order) {
                double millis = seconds * 1_000.0 / rounds * (isLong(mode) ? 1 : SHARE_OF_OTHERS);
                measured.add(
                        new Phase(mode, round, readShare, SETTLE_MILLIS, Math.max(LEAST_MILLIS, Math.round(millis))));
            }
        }
        return new Plan(heating, List.copyOf(measured));
    }

    /** Those that the goals are about; the baselines and the paper's modes are measured for less. */
    private static boolean isLong(Mode mode) {
        return mode == Mode.SEQUENTIAL || mode.isStrict();
    }

    int rounds() {
        return measured.get(measured.size() - 1).round();
    }

    /** How long all phases take, in seconds. */
    long seconds() {
        return (heating.stream().mapToLong(Phase::totalMillis).sum()
                        + measured.stream().mapToLong(Phase::totalMillis).sum())
                / 1_000;
    }
}
