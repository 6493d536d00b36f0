/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.SplittableRandom;

/** What faults draw from. A fault that has a number of its own draws the same wherever in the run it happens. */
public final class Chance {
    private SplittableRandom random;

    public Chance(SplittableRandom random) {
        this.random = random;
    }

    /** From here on draws follow from this number alone. */
    public void begin(long number) {
        random = new SplittableRandom(number);
    }

    /** @param bound above 0 */
    public int nextInt(int bound) {
        return random.nextInt(bound);
    }

    /** @param bound above 0 */
    public long nextLong(long bound) {
        return random.nextLong(bound);
    }

    public double nextDouble() {
        return random.nextDouble();
    }

    public boolean nextBoolean() {
        return random.nextBoolean();
    }
}
