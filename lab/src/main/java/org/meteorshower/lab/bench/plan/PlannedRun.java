/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

/**
 * One run. Immutable.
 *
 * @param number its place in the order, from 1
 * @param repeat which repeat of the plan it belongs to, from 1
 */
public record PlannedRun(int number, int repeat, NetworkSpec network, WorkloadSpec workload, SystemSpec system) {}
