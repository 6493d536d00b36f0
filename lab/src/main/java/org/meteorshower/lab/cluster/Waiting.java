/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Bounded waiting by looking again and again. Every method throws {@link ClusterException} when interrupted. */
public final class Waiting {
    private static final Duration PAUSE = Duration.ofMillis(50);

    private Waiting() {}

    /** Whether the condition came true in time. */
    static boolean until(Duration limit, BooleanSupplier condition) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline >= 0) {
                return false;
            }
            pause(PAUSE);
        }
        return true;
    }

    /**
     * Returns when nothing is in the way.
     *
     * @param pause between two looks
     * @param obstacle in words, empty where there is none
     * @throws ClusterException with these words, where there still is one after the limit
     */
    public static void untilClear(Duration limit, Duration pause, Supplier<String> obstacle) {
        long deadline = System.nanoTime() + limit.toNanos();
        for (String found = obstacle.get(); !found.isEmpty(); found = obstacle.get()) {
            requireTime(deadline, limit, found);
            pause(pause);
        }
    }

    /**
     * What is looked for, as soon as it is there.
     *
     * @param pause between two looks
     * @param otherwise what to say where it is not there after the limit
     * @throws ClusterException with these words
     */
    public static <T> T untilThere(
            Duration limit, Duration pause, Supplier<@Nullable T> look, Supplier<String> otherwise) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            T found = look.get();
            if (found != null) {
                return found;
            }
            requireTime(deadline, limit, otherwise.get());
            pause(pause);
        }
    }

    private static void requireTime(long deadline, Duration limit, String otherwise) {
        if (System.nanoTime() - deadline >= 0) {
            throw new ClusterException("after " + limit.toSeconds() + " s " + otherwise);
        }
    }

    /** Waits so long. */
    public static void pause(Duration length) {
        try {
            Thread.sleep(length.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted while waiting", e);
        }
    }
}
