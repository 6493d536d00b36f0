/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.RowKey;

/** Users' tables of whose rows nobody asks for ranges. */
interface TablesWithoutOrder extends UserTables {
    @Override
    default @Nullable ByteBuffer place(RowKey key) {
        return null;
    }

    @Override
    default Stretch stretch(Range range, @Nullable RowKey after) {
        return Stretch.EVERYTHING;
    }

    @Override
    default List<PlacedKey> keys(Range range, @Nullable RowKey after, int most) {
        return List.of();
    }
}
