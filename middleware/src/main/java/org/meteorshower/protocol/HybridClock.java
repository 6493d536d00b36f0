/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

/**
 * The hybrid logical clock (Kulkarni and others, 2014), in microseconds: never behind the physical clock, never going
 * back, always past what was heard. Also keeps the ceiling F, above which no value is used before it is persisted.
 *
 * <p>Invariant: every value returned by {@link #tick} is larger than every value returned or raised to before.
 */
final class HybridClock {
    private final long ceilingStepMicros;
    private long valueMicros;
    private long highestMicros;
    private long ceilingMicros;

    /** @param floorMicros F of the earlier starts: this start uses only larger values */
    HybridClock(long floorMicros, long ceilingStepMicros) {
        this.valueMicros = floorMicros;
        this.highestMicros = floorMicros;
        this.ceilingMicros = floorMicros;
        this.ceilingStepMicros = ceilingStepMicros;
    }

    /** A fresh value. */
    long tick(long wallMicros) {
        valueMicros = Math.max(valueMicros + 1, wallMicros);
        return noted(valueMicros);
    }

    /** The clock becomes at least this (clock rule 1). */
    void raise(long heardMicros) {
        valueMicros = Math.max(valueMicros, heardMicros);
        noted(valueMicros);
    }

    /** Remembers that a value ahead of the clock was used, so that the ceiling covers it. */
    long noted(long usedMicros) {
        highestMicros = Math.max(highestMicros, usedMicros);
        return usedMicros;
    }

    long value() {
        return valueMicros;
    }

    /** The largest value that was used or heard of, be it ahead of the clock. */
    long highest() {
        return highestMicros;
    }

    /** How far the clock runs ahead of the physical one. */
    long aheadMicros(long wallMicros) {
        return valueMicros - wallMicros;
    }

    /** Whether a larger ceiling must be persisted before what this step used may be seen; moves it if so. */
    boolean outgrewCeiling() {
        if (highestMicros <= ceilingMicros) {
            return false;
        }
        ceilingMicros = highestMicros + ceilingStepMicros;
        return true;
    }

    long ceiling() {
        return ceilingMicros;
    }
}
