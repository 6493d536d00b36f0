/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.meteorshower.transactions.chains.Requests;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Version;

/**
 * Which ranges a transaction's chain visits, and where its turn is. A function of the request, its place, and how rows
 * are divided: each range finds the same.
 *
 * @param rows by range, each in the order of names; no range without rows, but for the turn's
 * @param mayWrite those that it may write
 * @param turn the range of the first row that it may write; of the first one where it writes none
 */
record Visit(Requests requests, TreeMap<Integer, List<RowKey>> rows, Set<RowKey> mayWrite, int turn) {
    static Visit of(Request request, SessionId place, long version, Division division) {
        Requests requests = new Requests(request, place, version);
        if (!requests.claims().isEmpty()) {
            throw claims();
        }
        Set<RowKey> mayWrite = MayWrite.of(request, place, new TreeSet<>());
        TreeMap<Integer, List<RowKey>> rows = new TreeMap<>();
        RowKey first = null;
        for (RowKey row : requests.rows()) {
            rows.computeIfAbsent(division.rangeOf(row), range -> new ArrayList<>())
                    .add(row);
            if (first == null || (!mayWrite.contains(first) && mayWrite.contains(row))) {
                first = row;
            }
        }
        int turn = first == null ? (int) (Version.entry(version) % division.ranges()) : division.rangeOf(first);
        rows.computeIfAbsent(turn, range -> List.of());
        return new Visit(requests, rows, mayWrite, turn);
    }

    static IllegalArgumentException claims() {
        return new IllegalArgumentException(
                "a transaction with ranges of rows, or computed keys, is not for several" + " chain servers yet");
    }

    List<RowKey> rowsIn(int range) {
        return rows.getOrDefault(range, List.of());
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
