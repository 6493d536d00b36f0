/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.protocol;

import java.util.Collection;

/**
 * What the rows of a partition held before the mutations that are still in flight there (the design's
 * <em>history</em>). With it a replica can answer at a cut that excludes a mutation its store already holds: the rows'
 * earlier content plus the mutations visible at that cut. Immutable; made by the store, which alone looks inside.
 */
public interface History {
    /** Whether this holds the earlier content of every row that the update touches. */
    boolean covers(Update update);

    /** Whether this holds the earlier content of the whole row with this hash; false for {@link Update#ANY_ROW}. */
    boolean coversRow(long row);

    /** The memory that it takes, roughly, in bytes. */
    long sizeBytes();

    /**
     * This history and the rows of {@code later} that this one does not have; where both have a row, this one's stays.
     */
    History extendedBy(History later);

    /** This history with a mutation made part of it, less the rows that none of {@code remaining} touches. */
    History absorbing(Update retired, Collection<Update> remaining);
}
