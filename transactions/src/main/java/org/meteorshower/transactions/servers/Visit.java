/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.meteorshower.transactions.chains.Requests;
import org.meteorshower.transactions.fronts.Bodies;
import org.meteorshower.transactions.fronts.MayWrite;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Body;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Version;

/**
 * Which ranges a transaction's chain visits, and where its turn is. A function of the submission, its place, and how
 * rows are divided: each range finds the same. Of one of which nothing may come only the turn is left.
 *
 * @param rows by range, each in the order of names; no range without rows, but for the turn's
 * @param mayWrite those that it may write
 * @param turn the range of the first row that it may write; of the first one where it writes none
 * @param weight about how many bytes of heap the request takes
 */
record Visit(Requests requests, TreeMap<Integer, List<RowKey>> rows, Set<RowKey> mayWrite, int turn, int weight) {
    /** @throws IllegalArgumentException if it has ranges of rows, or computed keys: not for several servers yet */
    static Visit of(Body body, SessionId place, long version, Division division) {
        Request request = new Bodies(division).executed(body);
        Requests requests = new Requests(request, place, version);
        if (!requests.claims().isEmpty()) {
            throw MayWrite.claims();
        }
        TreeMap<Integer, List<RowKey>> rows = new TreeMap<>();
        for (RowKey row : requests.rows()) {
            rows.computeIfAbsent(division.rangeOf(row), range -> new ArrayList<>())
                    .add(row);
        }
        int turn = Turns.turn(body.front(), place, Version.entry(version) - 1, division);
        rows.computeIfAbsent(turn, range -> List.of());
        Set<RowKey> mayWrite = new TreeSet<>();
        var unused = MayWrite.tell(request, place, mayWrite::add);
        return new Visit(requests, rows, mayWrite, turn, request.weight());
    }

    List<RowKey> rowsIn(int range) {
        return rows.getOrDefault(range, List.of());
    }

    /** Whether there is something to be done: not, where a submission has told of rows there that it does not name. */
    boolean isIn(int range) {
        return rows.containsKey(range);
    }

    boolean mayWriteIn(int range) {
        for (RowKey row : rowsIn(range)) {
            if (mayWrite.contains(row)) {
                return true;
            }
        }
        return false;
    }
}
