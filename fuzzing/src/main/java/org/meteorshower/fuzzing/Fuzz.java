/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.fuzzing;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Gives one decoder many inputs, most of them damaged, and fails if it throws what it does not declare, takes longer
 * than {@link #MAX_MILLIS} for one input, allocates out of proportion to it, or brings a valid encoding back changed.
 *
 * <p>Input n of a seed is always the same. The system properties {@code fuzz.inputs}, {@code fuzz.from} and
 * {@code fuzz.seed} say how many, from which on, and of which seed; {@code fuzz.seconds} ends a decoder's run early.
 * With {@code fuzz.guided} inputs are chosen by coverage instead; see {@link GuidedRun}.
 */
public final class Fuzz {
    /** An input that takes longer hangs. Generous, since a busy machine may stop a thread for a while. */
    static final long MAX_MILLIS = 10_000;

    /** Classes are loaded and set up before the first input, Cassandra's among them. */
    private static final long MAX_START_MILLIS = 120_000;

    private static final int SHOWN_BYTES = 2_000;

    private final String name;
    private final Target target;
    private final Judge judge;
    private final long maxMillis;
    private final long seed = Long.getLong("fuzz.seed", 1);
    private final long endNanos = System.nanoTime() + Long.getLong("fuzz.seconds", 1_000_000) * 1_000_000_000L;
    // Written by the thread that decodes, read by the one that watches.
    private volatile boolean begun;
    private volatile long number = -1;
    private volatile byte[] current = {};
    private volatile @Nullable Throwable failure;
    private long inputs;

    private Fuzz(String name, Target target, long maxMillis) {
        this.name = name;
        this.target = target;
        this.maxMillis = maxMillis;
        this.judge = new Judge(target);
    }

    /**
     * What a run saw.
     *
     * @param refused inputs that the decoder refused as it declares
     * @param largestBytes the most that it allocated for one input
     */
    public record Result(long inputs, long refused, long largestBytes, long millis) {}

    /**
     * @param inputs how many, unless the system property says otherwise
     * @throws AssertionError naming the input and how to give it again
     */
    public static Result run(String name, Target target, long inputs) {
        return run(name, target, inputs, MAX_MILLIS);
    }

    /** @param maxMillis for one input, where inputs are not chosen by coverage */
    static Result run(String name, Target target, long inputs, long maxMillis) {
        Long guidedSeconds = Long.getLong("fuzz.guided");
        if (guidedSeconds != null) {
            return GuidedRun.run(name, target, guidedSeconds);
        }
        Fuzz fuzz = new Fuzz(name, target, maxMillis);
        Result result = fuzz.watch(Long.getLong("fuzz.from", 0), Long.getLong("fuzz.inputs", inputs));
        System.out.println("fuzz: " + name + ": " + result.inputs + " inputs, " + result.refused + " refused, at most "
                + result.largestBytes + " bytes allocated for one, " + result.millis + " ms");
        return result;
    }

    private Result watch(long from, long most) {
        long startNanos = System.nanoTime();
        Thread decoding = new Thread(() -> decodeAll(from, most), "fuzz " + name);
        decoding.setDaemon(true);
        decoding.start();
        long seen = -1;
        long sinceNanos = startNanos;
        while (decoding.isAlive()) {
            join(decoding);
            long now = System.nanoTime();
            if (number != seen) {
                seen = number;
                sinceNanos = now;
            } else if (decoding.isAlive() && now - sinceNanos > (begun ? maxMillis : MAX_START_MILLIS) * 1_000_000) {
                throw failed("hangs, at " + Arrays.toString(decoding.getStackTrace()), null);
            }
        }
        if (failure != null) {
            throw failed(String.valueOf(failure), failure);
        }
        return new Result(inputs, judge.refused(), judge.largestBytes(), (System.nanoTime() - startNanos) / 1_000_000);
    }

    private static void join(Thread decoding) {
        try {
            decoding.join(100);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private void decodeAll(long from, long most) {
        try {
            // Once without looking, since the first input pays for loading classes.
            var unused = target.decode(target.sample(new SplittableRandom(seed)).bytes());
            begun = true;
            for (String found : target.found()) {
                give(HexFormat.of().parseHex(found), null);
            }
            for (long n = from; n < from + most && System.nanoTime() - endNanos < 0; n++) {
                number = n;
                decode(n);
                inputs++;
            }
        } catch (Throwable e) { // whatever it is, it belongs to the input
            failure = e;
        }
    }

    private void decode(long n) {
        SplittableRandom random = new SplittableRandom(seed * 0x9e37_79b9_7f4a_7c15L + n);
        Target.Sample sample = target.sample(random);
        if (random.nextInt(16) == 0) {
            give(sample.bytes(), sample.expected());
        } else {
            give(
                    new Mutator(random, target.words())
                            .damage(sample.bytes(), target.sample(random).bytes()),
                    null);
        }
    }

    private void give(byte[] input, @Nullable Object expected) {
        current = input;
        judge.judge(input, expected);
    }

    private AssertionError failed(String what, @Nullable Throwable cause) {
        byte[] input = current;
        return new AssertionError(
                name + " " + what + "\n  input " + (number < 0 ? "found before" : number + " of seed " + seed) + ", "
                        + input.length + " bytes: "
                        + HexFormat.of().formatHex(input, 0, Math.min(input.length, SHOWN_BYTES))
                        + (number < 0
                                ? ""
                                : "\n  again: the same test with -Dfuzz.seed=" + seed + " -Dfuzz.from=" + number
                                        + " -Dfuzz.inputs=1"),
                cause);
    }
}
