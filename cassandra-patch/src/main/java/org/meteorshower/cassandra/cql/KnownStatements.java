/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import org.meteorshower.cassandra.transactions.cql.PlainTexts;
import org.meteorshower.cassandra.transactions.cql.PreparedTransactions;

/**
 * What a node knows of statements that it was sent, also while MeteorShower is not up. Thread-safe.
 *
 * @param prepared what Cassandra does not prepare
 * @param texts of single statements that are transactions
 */
public record KnownStatements(PreparedTransactions prepared, PlainTexts texts) {
    KnownStatements() {
        this(new PreparedTransactions(), new PlainTexts());
    }
}
