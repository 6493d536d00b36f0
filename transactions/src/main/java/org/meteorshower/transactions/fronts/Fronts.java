/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.fronts;

import java.util.Arrays;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.chains.Requests;
import org.meteorshower.transactions.language.Claim;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.log.Front;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;

/** What is said of requests. A pure function of them, and of where rows are. */
final class Fronts {
    /** Of a session that has no name yet; nobody looks at it. */
    private static final SessionId UNNAMED = new SessionId(0, 0, 0);

    private Fronts() {}

    static Front of(Request request, Tokens ring) {
        SortedSet<RowKey> rows = Requests.knownRows(request);
        List<Claim> claims = Requests.claims(request);
        if (!claims.isEmpty()) {
            return ofClaims(rows, claims, ring);
        }
        First written = new First();
        boolean writes = MayWrite.tell(request, UNNAMED, written::tell);
        if (rows.isEmpty()) {
            return writes ? Front.OPENS : Front.ofRows();
        }
        return Front.ofRows(tokens(rows, written.orElse(rows.first()), ring));
    }

    /** The first in the order of names. */
    private static final class First {
        private @Nullable RowKey first;

        void tell(RowKey row) {
            if (first == null || row.compareTo(first) < 0) {
                first = row;
            }
        }

        RowKey orElse(RowKey other) {
            return first == null ? other : first;
        }
    }

    /** What is looked for at the turn is in partitions, mostly in one. */
    private static Front ofClaims(SortedSet<RowKey> rows, List<Claim> claims, Tokens ring) {
        SortedSet<RowKey> all = new TreeSet<>(rows);
        First first = new First();
        for (Claim claim : claims) {
            Partition partition = claim.partition();
            RowKey named = new RowKey(partition.table(), partition.partition());
            first.tell(named);
            all.add(named);
        }
        return Front.ofClaims(tokens(all, first.orElse(all.first()), ring));
    }

    /**
     * That of the turn, then the others, ascending, each once.
     *
     * @param turn one of the rows
     */
    private static long[] tokens(SortedSet<RowKey> rows, RowKey turn, Tokens ring) {
        long[] tokens = new long[rows.size()];
        long first = 0;
        int count = 0;
        for (RowKey row : rows) {
            long token = ring.tokenOf(row);
            first = row.equals(turn) ? token : first;
            tokens[count++] = token;
        }
        Arrays.sort(tokens);
        long[] distinct = new long[count];
        distinct[0] = first;
        int size = 1;
        for (int i = 0; i < count; i++) {
            if (tokens[i] != first && (i == 0 || tokens[i] != tokens[i - 1])) {
                distinct[size++] = tokens[i];
            }
        }
        return size == count ? distinct : Arrays.copyOf(distinct, size);
    }
}
