/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meteorshower.protocol.PartitionKey;

/**
 * A read that this node has answered. Immutable by agreement.
 *
 * @param tokenMicros the session token that came with the request
 * @param cutMicros t, at which it was answered
 * @param cells what it returned
 * @param wholeRows rows of which it returned all that they hold in {@code columns}: what is not in {@code cells} is
 *     absent there
 * @param columns null: all
 */
public record Answer(
        PartitionKey key,
        long tokenMicros,
        long cutMicros,
        Map<CellName, Version> cells,
        Set<Long> wholeRows,
        @Nullable Set<Long> columns) {
    boolean tellsAbsence(CellName cell) {
        return wholeRows.contains(cell.row()) && (columns == null || columns.contains(cell.column()));
    }
}
