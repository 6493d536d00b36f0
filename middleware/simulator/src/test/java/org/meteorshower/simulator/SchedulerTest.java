/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class SchedulerTest {
    /** When it is due, and which it was in the order of scheduling. */
    private record Due(long atMicros, int number) {}

    @Test
    void whatIsScheduledHappensByTimeAndThenInTheOrderOfSchedulingWhicheverWayItWas() {
        for (int seed = 0; seed < 20; seed++) {
            Scheduler scheduler = new Scheduler();
            SplittableRandom random = new SplittableRandom(seed);
            List<Scheduler.Delay> delays = List.of(scheduler.delay(0), scheduler.delay(7), scheduler.delay(500));
            List<Due> scheduled = new ArrayList<>();
            List<Due> happened = new ArrayList<>();
            while (scheduled.size() < 3_000) {
                for (int i = random.nextInt(6); i >= 0; i--) {
                    int way = random.nextInt(5);
                    long micros = way == 0 ? 0 : way == 1 ? 7 : way == 2 ? 500 : random.nextInt(way == 3 ? 10 : 1_000);
                    Due due = new Due(scheduler.nowMicros() + micros, scheduled.size());
                    scheduled.add(due);
                    if (way < delays.size()) {
                        delays.get(way).then(() -> happened.add(due));
                    } else {
                        scheduler.after(micros, () -> happened.add(due));
                    }
                }
                scheduler.step();
                assertThat(scheduler.nowMicros())
                        .isEqualTo(happened.get(happened.size() - 1).atMicros());
            }
            while (scheduler.step()) {}

            assertThat(happened)
                    .hasSameSizeAs(scheduled)
                    .isSortedAccordingTo(Comparator.comparingLong(Due::atMicros).thenComparingInt(Due::number));
        }
    }

    @Test
    void theSameDelayIsMadeOnce() {
        Scheduler scheduler = new Scheduler();
        assertThat(scheduler.delay(9)).isSameAs(scheduler.delay(9)).isNotSameAs(scheduler.delay(10));
    }
}
