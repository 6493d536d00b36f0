/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.port;

/**
 * What a core holds, about, in bytes of heap; each has its bound in {@link Budget}.
 *
 * @param laneBytes entries
 * @param rowBytes rows
 * @param queuedBytes requests that wait for an answer
 * @param lagBytes decided and not in this data centre's tables
 * @param logBytes the log on disk, as far as this process has seen it
 */
public record Usage(long laneBytes, long rowBytes, long queuedBytes, long lagBytes, long logBytes) {}
