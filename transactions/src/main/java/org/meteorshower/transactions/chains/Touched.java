/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.chains;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Claim;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.RowKey;

/** Rows that a transaction names, and what it claims: all of them, or those of some part of the ring. */
public final class Touched {
    private final List<RowKey> rows;
    private final List<Claim> claims;

    /** See {@link #partitions}; null until somebody asks. */
    private @Nullable Set<Partition> partitions;

    /** @param rows in the order of names */
    public Touched(List<RowKey> rows, List<Claim> claims) {
        this.rows = List.copyOf(rows);
        this.claims = List.copyOf(claims);
    }

    /** In the order of names. */
    public List<RowKey> rows() {
        return rows;
    }

    /** Of which partitions it means rows besides: which ones they are is known at its turn. */
    List<Claim> claims() {
        return claims;
    }

    /** Whether it names the row. */
    public boolean names(RowKey row) {
        return Collections.binarySearch(rows, row) >= 0;
    }

    /** Those that it claims, and those of the rows that it names. */
    Set<Partition> partitions() {
        Set<Partition> all = partitions;
        if (all == null) {
            all = new LinkedHashSet<>();
            for (Claim claim : claims) {
                all.add(claim.partition());
            }
            for (RowKey row : rows) {
                Partition partition = Partition.of(row);
                if (partition != null) {
                    all.add(partition);
                }
            }
            partitions = all;
        }
        return all;
    }

    /** Whether it has this partition to itself. */
    boolean claims(Partition partition) {
        return claimed(partition) > 0;
    }

    /** So many rows of the partition it may mean besides those that it names. */
    int claimed(Partition partition) {
        int most = 0;
        for (Claim claim : claims) {
            most += claim.partition().equals(partition) ? claim.rows() : 0;
        }
        return most;
    }

    /** So many rows of the partition it names. */
    int named(Partition partition) {
        int named = 0;
        for (RowKey row : rows) {
            named += partition.contains(row) ? 1 : 0;
        }
        return named;
    }
}
