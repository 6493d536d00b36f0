/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client.transactions;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A transaction: its CQL with a bind marker for each value, and the values. Two that differ in values only have the
 * same text, and are prepared once. Immutable; may be executed as often as one likes, each time as a transaction of its
 * own.
 */
public final class TransactionStatement {
    private final String cql;
    private final List<@Nullable Object> values;

    private TransactionStatement(String cql, List<@Nullable Object> values) {
        this.cql = cql;
        this.values = Collections.unmodifiableList(values); // List.copyOf takes no nulls
    }

    /**
     * From CQL as docs/TRANSACTIONS_CQL.md has it: a transaction, or the CALL of a procedure.
     *
     * @param values of its bind markers, in their order
     * @throws IllegalArgumentException if it begins neither with BEGIN TRANSACTION nor with CALL
     */
    public static TransactionStatement of(String cql, @Nullable Object... values) {
        String text = cql.strip();
        if (!text.regionMatches(true, 0, "BEGIN", 0, 5) && !text.regionMatches(true, 0, "CALL", 0, 4)) {
            throw new IllegalArgumentException(
                    "a transaction begins with BEGIN TRANSACTION and ends with COMMIT TRANSACTION,"
                            + " or is the CALL of a procedure: " + cql);
        }
        return new TransactionStatement(cql, new ArrayList<>(Arrays.asList(values)));
    }

    static TransactionStatement of(Piece whole) {
        return new TransactionStatement(whole.cql(), new ArrayList<>(whole.values()));
    }

    /** For one that is put together in Java. */
    public static TransactionBuilder builder() {
        return new TransactionBuilder();
    }

    /** The text, with a bind marker for each value. */
    public String cql() {
        return cql;
    }

    /** What the bind markers stand for, in their order. */
    public List<@Nullable Object> values() {
        return values;
    }

    /** The text. Without the values, which may be secret. */
    @Override
    public String toString() {
        return cql;
    }
}
