/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The measuring: load generators, clients, and what the machine did meanwhile.
 *
 * <p>{@code BenchCluster} does one {@code PlannedRun} after the other on its nodes, by {@code Runner} or, of
 * transactions, {@code TransactionRunner}. Clients are {@code RowClient}s and {@code TransactionSession}s, driven by an
 * {@code OpenLoop} or {@code ClosedLoop}; {@code Measurement} gets what they time, and {@code RunResult} is what comes
 * of it.
 */
@NullMarked
package org.meteorshower.lab.bench.run;

import org.jspecify.annotations.NullMarked;
