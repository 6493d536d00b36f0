/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.SortedMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes that go on beside scans, key by key, round by round: each moment between two of them looks its own way. */
final class WrittenRounds {
    private static final Duration SOON = Duration.ofSeconds(60);

    private WrittenRounds() {}

    /** Does so again and again. */
    interface Write {
        void number(int n) throws InterruptedException;
    }

    /** @param keys it ends with a whole round of so many */
    static void beside(int keys, Write write, Runnable scans) throws InterruptedException {
        AtomicBoolean over = new AtomicBoolean();
        AtomicInteger written = new AtomicInteger();
        Thread writer = new Thread(() -> {
            try {
                while (!over.get() || written.get() % keys != 0) {
                    write.number(written.get());
                    written.incrementAndGet();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        writer.start();
        try {
            Waiting.until(SOON, () -> assertThat(written.get()).isGreaterThan(2));
            int before = written.get();
            scans.run();
            assertThat(written.get()).as("it went on meanwhile").isGreaterThan(before);
        } finally {
            over.set(true);
            writer.join();
        }
    }

    /** The first keys are in the same round, and the others in the last. */
    static void assertOneMoment(int keys, SortedMap<Integer, Integer> roundOfKey) {
        assertThat(roundOfKey).hasSize(keys);
        int first = roundOfKey.get(0);
        int before = first;
        for (int round : roundOfKey.values()) {
            assertThat(round).as("%s", roundOfKey).isBetween(first - 1, before);
            before = round;
        }
    }
}
