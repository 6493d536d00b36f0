/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What one fault did to those whom it should not concern: sessions that were elsewhere when they began an operation,
 * and were served elsewhere. Of faults that disable nobody, to all sessions.
 */
record Effect(
        FaultSpan span,
        Distribution readsBefore,
        Distribution readsMeanwhile,
        Distribution writesBefore,
        Distribution writesMeanwhile,
        int failed,
        double longestMillis) {
    private static final long BEFORE_NANOS = TimeUnit.SECONDS.toNanos(3);

    static List<Effect> of(List<FaultSpan> spans, List<Sample> samples, List<String> dcs) {
        List<Effect> effects = new ArrayList<>();
        for (FaultSpan span : spans) {
            if (!span.fault().kind().concernsAll()) {
                effects.add(of(span, samples, dcs.indexOf(span.fault().dc())));
            }
        }
        return effects;
    }

    private static Effect of(FaultSpan span, List<Sample> samples, int struck) {
        List<Sample> readsBefore = new ArrayList<>();
        List<Sample> reads = new ArrayList<>();
        List<Sample> writesBefore = new ArrayList<>();
        List<Sample> writes = new ArrayList<>();
        int failed = 0;
        double longest = 0;
        for (Sample sample : samples) {
            boolean concerned =
                    span.fault().kind().isDisabling() && (sample.fromDc() == struck || sample.dc() == struck);
            if (concerned || sample.startNanos() > span.endNanos()) {
                continue;
            }
            if (sample.endNanos() >= span.startNanos()) {
                longest = Math.max(longest, sample.millis());
                switch (sample.what()) {
                    case READ -> reads.add(sample);
                    case WRITE -> writes.add(sample);
                    case FAILED -> failed++;
                }
            } else if (sample.endNanos() >= span.startNanos() - BEFORE_NANOS) {
                switch (sample.what()) {
                    case READ -> readsBefore.add(sample);
                    case WRITE -> writesBefore.add(sample);
                    case FAILED -> {}
                }
            }
        }
        return new Effect(
                span,
                Distribution.of(readsBefore),
                Distribution.of(reads),
                Distribution.of(writesBefore),
                Distribution.of(writes),
                failed,
                longest);
    }
}
