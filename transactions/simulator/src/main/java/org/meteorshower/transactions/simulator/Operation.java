/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.simulator;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;

/** What a client does at a time, and what became of it. */
final class Operation {
    /** Kinds of operations. */
    enum Kind {
        LISTS,
        TRANSFER,
        STRICT_READ,
        SNAPSHOT_OF_LISTS,
        SNAPSHOT_OF_BANK,
        /** All rows of the users' tables. */
        SCAN,
        SET_UP,
        /** Rows under new names. */
        LOAD,
        /** Rows of some partitions, by name and by range. */
        RANGES,
        /** Rows of which something ends. */
        ENDS,
        /** A count in a row that was there before any transaction. */
        COUNT
    }

    /** What is known of it in the end. */
    enum Status {
        OK,
        FAILED,
        UNKNOWN
    }

    /** One access to a list; {@code appended} is null for a read. */
    record Access(String list, @Nullable Long appended) {}

    final Kind kind;
    final Transaction transaction;

    /** In the order of the transaction's answers where they are reads. */
    final List<Access> accesses;

    final long invokedMicros;
    long answeredMicros = -1;
    Status status = Status.UNKNOWN;
    List<Value> values = List.of();

    /** Some attempt may still take effect. */
    boolean inDoubt;

    /** Without a session: it is not asked for again where it may have run. */
    boolean once;

    int attempts;

    /** The data centre that was asked last. */
    int dc;

    Operation(Kind kind, Transaction transaction, List<Access> accesses, long invokedMicros) {
        this.kind = kind;
        this.transaction = transaction;
        this.accesses = accesses;
        this.invokedMicros = invokedMicros;
    }

    void ends(Status as, List<Value> with, long nowMicros) {
        status = as;
        values = with;
        answeredMicros = nowMicros;
    }
}
