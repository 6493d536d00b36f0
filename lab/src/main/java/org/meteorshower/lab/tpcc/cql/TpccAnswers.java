/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.tpcc.cql;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.meteorshower.lab.tpcc.Answer;
import org.meteorshower.lab.tpcc.Logic;
import org.meteorshower.lab.tpcc.Unit;
import org.meteorshower.lab.transactions.TransactionOutcome;

/** What results of the units' texts say. */
final class TpccAnswers {
    /** Columns of each line of a new order, and where the first one's are. */
    private static final int LINE = 5;

    private static final int FIRST_LINE = 6;

    private TpccAnswers() {}

    static Answer of(Unit unit, AsyncResultSet rows) {
        if (unit instanceof Unit.NewOrder order) {
            return newOrder(order, first(rows));
        } else if (unit instanceof Unit.Payment) {
            return Answer.committed(List.of(), first(rows).getLong(0));
        } else if (unit instanceof Unit.LastOrder) {
            Row row = first(rows);
            return Answer.committed(row.isNull(1) ? List.of() : List.of(row.getInt(1), row.getInt(2)), row.getLong(0));
        } else if (unit instanceof Unit.Deliver) {
            Row row = first(rows);
            return row.isNull(0)
                    ? Answer.committed(List.of(), 0)
                    : Answer.committed(List.of(row.getInt(0)), row.getLong(1));
        }
        List<Integer> numbers = new ArrayList<>();
        for (Row row : rows.currentPage()) {
            numbers.add(row.getInt(0));
        }
        if (unit instanceof Unit.CountBelow below) {
            long count = numbers.stream()
                    .filter(quantity -> quantity < below.threshold())
                    .count();
            return Answer.committed(List.of((int) count), 0);
        }
        return Answer.committed(numbers, 0);
    }

    private static Answer newOrder(Unit.NewOrder order, Row row) {
        long cents = 0;
        for (int k = 0; k < order.lines().size(); k++) {
            int price = FIRST_LINE + k * LINE;
            if (row.isNull(price)) {
                return Answer.rolledBack();
            }
            cents += row.getLong(price) * order.lines().get(k).quantity();
        }
        return Answer.committed(
                List.of(row.getInt(0)), Logic.total(cents, row.getInt(3), row.getInt(1) + row.getInt(2)));
    }

    private static Row first(AsyncResultSet rows) {
        return Objects.requireNonNull(rows.one(), "a transaction without its result");
    }

    /** Of one that failed. */
    static Answer of(TransactionOutcome failed) {
        return failed.status() == TransactionOutcome.Status.ABORT
                ? Answer.aborted(failed.retries(), failed.reason())
                : Answer.unknown(failed.retries(), failed.reason());
    }
}
