/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.changes;

import java.util.List;
import java.util.TreeMap;
import org.meteorshower.client.changes.ChangeBatch;
import org.meteorshower.client.changes.ChangePosition;
import org.meteorshower.client.changes.ChangeStream;
import org.meteorshower.client.changes.ChangedRow;
import org.meteorshower.client.changes.ChangedTransaction;
import org.meteorshower.client.changes.ChangesGoneException;

/** A stream in memory. For one thread. */
final class FakeChangeStream implements ChangeStream {
    /** Done each time that somebody reads, before anything is given. */
    Runnable beforeRead = () -> {};

    /** How often somebody has read, the present time included. */
    int reads;

    private final TreeMap<ChangePosition, ChangedTransaction> transactions = new TreeMap<>();
    private ChangePosition oldest = ChangePosition.of(0);
    private ChangePosition end = ChangePosition.of(0);

    /** One that has set a row of each of these tables. */
    FakeChangeStream with(String at, String... tables) {
        ChangePosition position = ChangePosition.parse(at);
        List<ChangedRow> rows = List.of(tables).stream()
                .map(table -> new ChangedRow(table, "{\"id\":1}", "{\"balance\":5}"))
                .toList();
        transactions.put(position, new ChangedTransaction(position, rows));
        return end(position.place() + 1);
    }

    FakeChangeStream with(String at, ChangedRow row) {
        ChangePosition position = ChangePosition.parse(at);
        transactions.put(position, new ChangedTransaction(position, List.of(row)));
        return end(position.place() + 1);
    }

    FakeChangeStream end(long place) {
        end = ChangePosition.of(place);
        return this;
    }

    FakeChangeStream oldest(long place) {
        oldest = ChangePosition.of(place);
        return this;
    }

    @Override
    public ChangePosition oldest() {
        return oldest;
    }

    @Override
    public ChangePosition end() {
        return end;
    }

    @Override
    public ChangeBatch read(ChangePosition from, int mostTransactions) {
        reads++;
        beforeRead.run();
        if (from.compareTo(oldest) < 0) {
            throw new ChangesGoneException(from, oldest);
        }
        List<ChangedTransaction> found = transactions.tailMap(from).values().stream()
                .limit(mostTransactions)
                .toList();
        if (found.size() == mostTransactions) {
            return new ChangeBatch(found, found.get(mostTransactions - 1).at().next());
        }
        return new ChangeBatch(found, from.compareTo(end) > 0 ? from : end);
    }
}
