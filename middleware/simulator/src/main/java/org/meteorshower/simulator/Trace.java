/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

import java.util.function.Supplier;

/**
 * Hears of every event that a core is told and every effect that it wants, in the order of the run; and of what else it
 * tells.
 */
@FunctionalInterface
public interface Trace {
    Trace NONE = (nowMicros, node, what) -> {};

    /**
     * @param nowMicros simulated time
     * @param what an {@code Event}, an {@code Effect}, or what an observer of the core hears; its text is the same in
     *     every run of the same seed
     */
    void step(long nowMicros, int node, Object what);

    /** What clients, operators and faults do, in words. */
    default void note(long nowMicros, Supplier<String> what) {}
}
