/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What came of a transaction that has taken its place in the order. That its IF did not hold is no failure:
 * {@link #applied} tells. Immutable.
 *
 * @param rows what its SELECT gave; none where it has no SELECT
 * @param applied whether it came to an INSERT, UPDATE or DELETE: false where an IF did not hold and had no ELSE, and
 *     for reads
 * @param id under which it ran; empty for reads, which have no number
 */
public record TransactionResult(List<Row> rows, boolean applied, Optional<TransactionId> id) {

    public TransactionResult {
        rows = List.copyOf(rows);
    }

    /** The first row of its SELECT. */
    public Optional<Row> one() {
        return rows.stream().findFirst();
    }

    static TransactionResult of(AsyncResultSet page, Optional<TransactionId> id) {
        List<Row> rows = new ArrayList<>();
        page.currentPage().forEach(rows::add);
        ByteBuffer applied = page.getExecutionInfo().getIncomingPayload().get(PayloadKeys.TRANSACTIONS_APPLIED);
        return new TransactionResult(rows, applied != null && applied.get(applied.position()) != 0, id);
    }
}
