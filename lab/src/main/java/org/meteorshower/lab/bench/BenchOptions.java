/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench;

import org.meteorshower.lab.bench.plan.BenchPlan;

/**
 * What to measure, and how. Immutable.
 *
 * @param seed of the order of the runs and of what clients draw
 * @param command which repeats it, for the report
 * @param historyLimit operations of a run that are kept for the checker at most; 0: no check
 */
record BenchOptions(BenchPlan plan, long seed, String command, String firstAddress, int historyLimit) {}
