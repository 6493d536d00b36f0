/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

/**
 * Bounds of the work of a check; counted, not timed, so that a verdict is the same on every machine.
 *
 * @param searchSteps operations the search may do beyond one straight run; past it the verdict is UNDECIDED
 * @param shrinkChecks histories that may be checked to make a counterexample smaller; 0 leaves it as found
 */
public record CheckLimits(long searchSteps, int shrinkChecks) {
    /** About ten seconds of search at the worst. */
    public static final CheckLimits DEFAULT = new CheckLimits(20_000_000L, 3_000);
}
