/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.meteorshower.client.changes.ChangeBatch;
import org.meteorshower.client.changes.ChangePosition;
import org.meteorshower.client.changes.ChangeStream;
import org.meteorshower.client.changes.ChangedRow;
import org.meteorshower.client.changes.ChangedTransaction;

/** Reads change streams, and what they make of tables whose key is {@code id}. */
final class Changes {
    private static final int SOME = 37;

    private static final int MOST_OF_ONE = 4;

    private Changes() {}

    /** Up to where it is whole now. */
    static List<ChangedTransaction> from(ChangeStream stream, ChangePosition first) {
        List<ChangedTransaction> all = new ArrayList<>();
        ChangePosition end = stream.end();
        for (ChangePosition next = first; next.compareTo(end) < 0; ) {
            ChangeBatch batch = stream.read(next, SOME);
            all.addAll(batch.transactions());
            next = batch.next();
        }
        return all;
    }

    /** The same a few at a time, by readers that each go on where the last one has ended, in another data centre. */
    static List<ChangedTransaction> byReadersThatMove(List<ChangeStream> streams, ChangePosition first, int readers) {
        List<ChangedTransaction> all = new ArrayList<>();
        ChangePosition next = first;
        for (int reader = 0; reader < readers; reader++) {
            ChangeBatch batch = streams.get(reader % streams.size()).read(next, 1 + reader % MOST_OF_ONE);
            all.addAll(batch.transactions());
            next = batch.next();
        }
        return all;
    }

    /** Those of one stream that another one may have, too. */
    static List<ChangedTransaction> both(List<ChangedTransaction> stream, List<ChangedTransaction> other) {
        ChangePosition first = other.get(0).at();
        ChangePosition last = other.get(other.size() - 1).at();
        return stream.stream()
                .filter(each -> each.at().compareTo(first) >= 0 && each.at().compareTo(last) <= 0)
                .toList();
    }

    /** What is left in a table, by key, as JSON. */
    static Map<String, String> rows(List<ChangedTransaction> stream, String table) {
        Map<String, String> rows = new TreeMap<>();
        for (ChangedTransaction transaction : stream) {
            for (ChangedRow row : transaction.rows()) {
                if (row.table().equals(table)) {
                    rows.put(row.key(), row.row());
                }
            }
        }
        rows.values().removeIf(row -> row == null);
        return rows;
    }

    /** What the table holds. */
    static Map<String, String> table(CqlSession session, String table) {
        Map<String, String> rows = new TreeMap<>();
        for (Row row : session.execute("SELECT id, v FROM " + table)) {
            rows.put("{\"id\":" + row.getInt("id") + "}", "{\"v\":" + row.getInt("v") + "}");
        }
        return rows;
    }
}
