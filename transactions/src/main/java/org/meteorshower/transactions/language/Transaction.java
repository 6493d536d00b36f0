/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A one-shot transaction: which rows it touches is known before it runs, and what it does follows from what they hold.
 * Immutable; equality is by content.
 */
public final class Transaction {
    /** More ranges than this are refused. */
    public static final int MOST_RANGES = 16;

    /** Rows are looked for so often, each time by what the last ones have told. */
    public static final int MOST_LOOKS = 16;

    /** More asserts, or statements on the outer level, than this are refused. */
    public static final int MOST_STATEMENTS = 1_000;

    private final List<Expression> asserts;
    private final List<Statement> body;

    /** Null until they were asked for: any thread finds the same. */
    private @Nullable SortedSet<RowKey> rows;

    /**
     * @param asserts evaluated on the forward pass, each as soon as the rows it reads are known; where one does not
     *     hold nothing of the transaction happens
     * @param body run when all rows are known
     * @throws IllegalArgumentException if it has too many statements
     */
    public Transaction(List<Expression> asserts, List<Statement> body) {
        this.asserts = List.copyOf(asserts);
        this.body = List.copyOf(body);
        if (asserts.size() > MOST_STATEMENTS || body.size() > MOST_STATEMENTS) {
            throw new IllegalArgumentException("a transaction of " + Math.max(asserts.size(), body.size())
                    + " statements; at most " + MOST_STATEMENTS + " are taken: cut it into smaller ones");
        }
        long ranges = claims(body).stream().filter(Claim::isRange).count();
        if (ranges > MOST_RANGES) {
            throw new IllegalArgumentException("a transaction of " + ranges + " ranges of rows; at most " + MOST_RANGES
                    + " are taken: cut it into smaller ones");
        }
    }

    public List<Expression> asserts() {
        return asserts;
    }

    public List<Statement> body() {
        return body;
    }

    /** Every row that it names and may read or write, in the order in which its chain visits them. Unmodifiable. */
    public SortedSet<RowKey> rows() {
        SortedSet<RowKey> known = rows;
        if (known == null) {
            TreeSet<RowKey> found = new TreeSet<>();
            asserts.forEach(assertion -> assertion.addRows(found));
            body.forEach(statement -> statement.addRows(found));
            known = Collections.unmodifiableSortedSet(found);
            rows = known;
        }
        return known;
    }

    /** What it must have to itself, in the order of its statements. */
    public List<Claim> claims() {
        return claims(body);
    }

    private static List<Claim> claims(List<Statement> body) {
        boolean has = false; // mostly not, and then nothing is made
        for (Statement statement : body) {
            has |= statement.hasClaims();
        }
        if (!has) {
            return List.of();
        }
        List<Claim> claims = new ArrayList<>();
        body.forEach(statement -> statement.addClaims(claims));
        return claims;
    }

    /**
     * The same, whose ranges that are deleted may have {@linkplain Range#MANY many} rows, where nothing else is looked
     * for in their partitions: of another range as many more rows would be gathered, since they may be deleted first.
     */
    public Transaction deletingMany() {
        List<Claim> claims = claims();
        if (claims.isEmpty()) {
            return this;
        }
        Set<Partition> once = new HashSet<>();
        Set<Partition> again = new HashSet<>();
        for (Claim claim : claims) {
            if (!once.add(claim.partition())) {
                again.add(claim.partition());
            }
        }
        once.removeAll(again);
        return new Transaction(
                asserts, body.stream().map(each -> each.deletingMany(once)).toList());
    }

    public boolean isReadOnly() {
        return body.stream().noneMatch(Statement::writes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Transaction transaction
                && asserts.equals(transaction.asserts)
                && body.equals(transaction.body);
    }

    @Override
    public int hashCode() {
        return 31 * asserts.hashCode() + body.hashCode();
    }

    @Override
    public String toString() {
        return "Transaction[asserts=" + asserts + ", body=" + body + "]";
    }
}
