/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import org.apache.cassandra.cql3.ColumnIdentifier;

/**
 * What a procedure is called by.
 *
 * @param keyspace that it belongs to: where its tables without a keyspace are, and whose functions' permissions it
 *     takes
 * @param version 1 or more; under one version there is never another text
 */
public record ProcedureId(String keyspace, String name, int version) {
    /** As it is written in CQL. */
    @Override
    public String toString() {
        return ColumnIdentifier.maybeQuote(keyspace) + "." + ColumnIdentifier.maybeQuote(name) + " VERSION " + version;
    }
}
