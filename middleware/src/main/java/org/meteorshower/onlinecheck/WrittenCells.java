/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.onlinecheck;

import java.util.Map;

/**
 * What a mutation writes, cell by cell. Immutable by agreement.
 *
 * @param cells those that can be told apart
 * @param hidesUpToMicros cells up to this timestamp may be absent because of this mutation: it deletes more than single
 *     cells, or what it writes vanishes by itself. {@link #HIDES_NOTHING} where it is neither
 */
public record WrittenCells(Map<CellName, Version> cells, long hidesUpToMicros) {
    public static final long HIDES_NOTHING = Long.MIN_VALUE;
}
