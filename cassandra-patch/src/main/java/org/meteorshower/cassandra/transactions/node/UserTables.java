/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.List;
import org.apache.cassandra.db.Mutation;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.port.StoredRow;

/** The tables that users see: where rows come from that no transaction has written yet, and where written ones are put. */
interface UserTables {
    /** A row that no transaction has written, as far as this data centre has executed. Blocks. */
    StoredRow read(RowKey key);

    /** What puts the row there; none where there is no such table any more. */
    List<Mutation> mutations(RowKey key, StoredRow row);
}
