/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.language;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A one-shot transaction: which rows it touches is known before it runs, and what it does follows from what they hold.
 *
 * @param asserts evaluated on the forward pass, each as soon as the rows it reads are known; where one does not hold
 *     nothing of the transaction happens
 * @param body run when all rows are known
 */
public record Transaction(List<Expression> asserts, List<Statement> body) {
    /** More ranges than this are refused. */
    public static final int MOST_RANGES = 16;

    /** Rows are looked for so often, each time by what the last ones have told. */
    public static final int MOST_LOOKS = 16;

    /** More asserts, or statements on the outer level, than this are refused. */
    public static final int MOST_STATEMENTS = 1_000;

    /** @throws IllegalArgumentException if it has too many statements */
    public Transaction {
        asserts = List.copyOf(asserts);
        body = List.copyOf(body);
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

    /** Every row that it names and may read or write, in the order in which its chain visits them. */
    public SortedSet<RowKey> rows() {
        TreeSet<RowKey> rows = new TreeSet<>();
        asserts.forEach(assertion -> assertion.addRows(rows));
        body.forEach(statement -> statement.addRows(rows));
        return Collections.unmodifiableSortedSet(rows);
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
}
