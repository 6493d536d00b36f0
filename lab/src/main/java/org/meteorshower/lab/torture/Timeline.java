/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.ArrayList;
import java.util.List;

/** What each data centre did in each second. */
final class Timeline {
    /** One data centre in one second. Latencies in milliseconds, NaN where there were none. */
    record Cell(
            int reads, int writes, int failed, double localShare, Distribution readMillis, Distribution writeMillis) {}

    private final List<String> dcs;
    private final List<List<Cell>> byDc = new ArrayList<>();

    Timeline(List<String> dcs, List<Sample> samples) {
        this.dcs = List.copyOf(dcs);
        int seconds =
                1 + (int) samples.stream().mapToLong(Timeline::second).max().orElse(0);
        for (int dc = 0; dc < dcs.size(); dc++) {
            List<List<Sample>> buckets = new ArrayList<>();
            for (int second = 0; second < seconds; second++) {
                buckets.add(new ArrayList<>());
            }
            int number = dc;
            samples.stream().filter(sample -> sample.dc() == number).forEach(sample -> buckets.get((int) second(sample))
                    .add(sample));
            byDc.add(buckets.stream().map(Timeline::cell).toList());
        }
    }

    private static long second(Sample sample) {
        return sample.endNanos() / 1_000_000_000L;
    }

    private static Cell cell(List<Sample> samples) {
        List<Sample> reads = of(samples, Sample.What.READ);
        List<Sample> writes = of(samples, Sample.What.WRITE);
        long local = reads.stream().filter(Sample::local).count();
        return new Cell(
                reads.size(),
                writes.size(),
                samples.size() - reads.size() - writes.size(),
                reads.isEmpty() ? Double.NaN : (double) local / reads.size(),
                Distribution.of(reads),
                Distribution.of(writes));
    }

    private static List<Sample> of(List<Sample> samples, Sample.What what) {
        return samples.stream().filter(sample -> sample.what() == what).toList();
    }

    List<String> dcs() {
        return dcs;
    }

    int seconds() {
        return byDc.get(0).size();
    }

    List<Cell> of(int dc) {
        return byDc.get(dc);
    }
}
