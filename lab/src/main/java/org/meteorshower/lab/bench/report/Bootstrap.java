/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.report;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Ratios with confidence intervals. The ratio is the geometric mean over the repeats of the ratio within each, so what
 * the machine does to a whole repeat cancels. Its interval comes of drawing again in two steps: repeats with
 * replacement, then within each run its one-second windows with replacement; of the ratios so made the middle 95 %.
 * With one repeat the windows alone tell, which neighbours' likeness makes look surer than it is.
 */
final class Bootstrap {
    static final int DRAWS = 500;
    private static final double TAIL = 0.025;

    private Bootstrap() {}

    /** The two runs of one repeat. */
    record Pair(Sample of, Sample to) {}

    /** The ratios of these quantities, each from the same draws. The same seed gives the same intervals. */
    static Map<Quantity, Ratio.Interval> intervals(List<Pair> repeats, List<Quantity> quantities, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double[][] drawn = new double[quantities.size()][DRAWS];
        for (int draw = 0; draw < DRAWS; draw++) {
            double[] logs = new double[quantities.size()];
            for (int i = 0; i < repeats.size(); i++) {
                Pair pair = repeats.get(random.nextInt(repeats.size()));
                addLogs(quantities, pair, pair.of().resampled(random), pair.to().resampled(random), logs);
            }
            for (int q = 0; q < logs.length; q++) {
                drawn[q][draw] = Math.exp(logs[q] / repeats.size());
            }
        }
        double[] logs = new double[quantities.size()];
        repeats.forEach(
                pair -> addLogs(quantities, pair, pair.of().whole(), pair.to().whole(), logs));
        Map<Quantity, Ratio.Interval> intervals = new EnumMap<>(Quantity.class);
        for (int q = 0; q < logs.length; q++) {
            intervals.put(quantities.get(q), interval(Math.exp(logs[q] / repeats.size()), drawn[q]));
        }
        return intervals;
    }

    private static void addLogs(List<Quantity> quantities, Pair pair, long[] of, long[] to, double[] logs) {
        for (int q = 0; q < logs.length; q++) {
            Quantity quantity = quantities.get(q);
            logs[q] += Math.log(quantity.of(pair.of(), of) / quantity.of(pair.to(), to));
        }
    }

    private static Ratio.Interval interval(double value, double[] drawn) {
        double[] sound = Arrays.stream(drawn).filter(Double::isFinite).sorted().toArray();
        if (!Double.isFinite(value) || sound.length < DRAWS / 2) {
            return new Ratio.Interval(Double.isFinite(value) ? value : Double.NaN, Double.NaN, Double.NaN);
        }
        return new Ratio.Interval(
                value,
                sound[(int) Math.floor(TAIL * (sound.length - 1))],
                sound[(int) Math.ceil((1 - TAIL) * (sound.length - 1))]);
    }
}
