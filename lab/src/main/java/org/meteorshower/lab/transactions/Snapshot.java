/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.transactions;

import java.util.List;

/**
 * What a snapshot read saw of rows: all as of one place in the order, at least what its session had seen before.
 * Immutable.
 *
 * @param startNanos of the run, when it was asked for
 * @param endNanos of the run, when it was answered
 */
public record Snapshot(String session, List<Account> rows, long startNanos, long endNanos) {
    public Snapshot {
        rows = List.copyOf(rows);
    }
}
