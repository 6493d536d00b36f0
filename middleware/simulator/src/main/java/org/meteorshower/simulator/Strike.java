/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.simulator;

/**
 * A fault at a moment of its own, in plans that list their faults instead of how many of each kind are drawn.
 *
 * @param fault its name in lower case with hyphens, as the model that it is for calls it
 * @param atMicros when, in simulated time; runs begin at 1,000,000. Once all faults have healed nothing strikes any
 *     more
 * @param number decides whom it strikes, and for how long
 */
public record Strike(String fault, long atMicros, long number) {}
