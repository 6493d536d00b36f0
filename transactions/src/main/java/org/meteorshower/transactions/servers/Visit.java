/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.meteorshower.transactions.chains.Requests;
import org.meteorshower.transactions.fronts.Bodies;
import org.meteorshower.transactions.fronts.MayWrite;
import org.meteorshower.transactions.language.Claim;
import org.meteorshower.transactions.language.Partition;
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
 * @param mayWrite those that it may write, and those of partitions that it has to itself
 * @param claims by range, of which partitions it means rows besides; no range without any
 * @param turn the range of the first row that it may write, or of the first partition that it has to itself; of the
 *     first row where it writes none
 * @param weight about how many bytes of heap the request takes
 */
record Visit(
        Requests requests,
        TreeMap<Integer, List<RowKey>> rows,
        Set<RowKey> mayWrite,
        TreeMap<Integer, List<Claim>> claims,
        int turn,
        int weight) {
    static Visit of(Body body, SessionId place, long version, Division division) {
        Request request = new Bodies(division).executed(body);
        Requests requests = new Requests(request, place, version);
        TreeMap<Integer, List<Claim>> claims = new TreeMap<>();
        Set<Partition> claimed = new HashSet<>();
        for (Claim claim : requests.claims()) {
            claims.computeIfAbsent(division.rangeOf(claim.partition()), range -> new ArrayList<>())
                    .add(claim);
            claimed.add(claim.partition());
        }
        TreeMap<Integer, List<RowKey>> rows = new TreeMap<>();
        Set<RowKey> mayWrite = new TreeSet<>();
        for (RowKey row : requests.rows()) {
            rows.computeIfAbsent(division.rangeOf(row), range -> new ArrayList<>())
                    .add(row);
            Partition partition = claimed.isEmpty() ? null : Partition.of(row);
            if (partition != null && claimed.contains(partition)) {
                mayWrite.add(row);
            }
        }
        int turn = Turns.turn(body.front(), place, Version.entry(version) - 1, division);
        rows.computeIfAbsent(turn, range -> List.of());
        var unused = MayWrite.tell(request, place, mayWrite::add);
        return new Visit(requests, rows, mayWrite, claims, turn, request.weight());
    }

    List<RowKey> rowsIn(int range) {
        return rows.getOrDefault(range, List.of());
    }

    List<Claim> claimsIn(int range) {
        return claims.getOrDefault(range, List.of());
    }

    /** Whether there is something to be done: not, where a submission has told of rows there that it does not name. */
    boolean isIn(int range) {
        return rows.containsKey(range) || claims.containsKey(range);
    }

    /** All but that of the turn. */
    Set<Integer> others() {
        Set<Integer> others = new TreeSet<>(rows.keySet());
        others.addAll(claims.keySet());
        others.remove(turn);
        return others;
    }

    /** Whether the range keeps something until it is told what is written there: it waits for that, and is told. */
    boolean isToldBack(int range) {
        return mayWriteIn(range) || hasClaimsIn(range);
    }

    private boolean hasClaimsIn(int range) {
        return claims.containsKey(range);
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
