/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.search;

/** What a run made the core do: numbers, each once, in no order. Immutable. */
public final class Features {
    private final int[] numbers;

    /** @param numbers each below two to {@link org.meteorshower.simulator.Probes#FEATURE_BITS}; not to be changed */
    public Features(int[] numbers) {
        this.numbers = numbers;
    }

    public int count() {
        return numbers.length;
    }

    /** @param place 0 to count - 1 */
    public int at(int place) {
        return numbers[place];
    }
}
