/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Holdings;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;

/** Who looks for rows of partitions that it has to itself. */
public interface Gatherer extends Claiming {
    /** What is to be gathered; null where nothing is. */
    Holdings.@Nullable Missing missing();

    /** One of the rows that were missing, or of a range that was. */
    void hold(RowKey key, Row row);

    /**
     * All of it was told, or so much that it is too large ({@link AtTurn#MOST_BYTES}).
     *
     * @param bytes of all that it has gathered, now and before
     */
    void gathered(long bytes);
}
