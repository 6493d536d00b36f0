/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.nio.ByteBuffer;
import java.util.Comparator;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.meteorshower.transactions.language.RowKey;

/**
 * A row's key, and where the row stands in its partition.
 *
 * @param place compared as unsigned bytes, places are in the order of the table's rows
 */
record PlacedKey(ByteBuffer place, RowKey key) {
    /** Within a partition. */
    static final Comparator<PlacedKey> ORDER = Comparator.comparing(PlacedKey::place, ByteBufferUtil::compareUnsigned)
            .thenComparing(PlacedKey::key);
}
