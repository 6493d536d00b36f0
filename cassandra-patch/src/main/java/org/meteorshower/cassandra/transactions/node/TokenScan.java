/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.exceptions.ReadFailureException;

/**
 * Looks for partitions in the order of their tokens. Cassandra refuses a read that meets too many deletions before it
 * has found enough: then a smaller range is looked at. Blocks; stateless.
 */
final class TokenScan {
    /** No partition has it, and all are behind it. */
    static final long BEGINNING = Long.MIN_VALUE;

    static final long END = Long.MAX_VALUE;

    private TokenScan() {}

    /** Reads some partitions behind a token and up to another. */
    interface Reader {
        UntypedResultSet read(long after, long to);
    }

    /** @param to up to where it was looked; what was found may be cut off before that by the reader's own limit */
    record Found(UntypedResultSet rows, long to) {}

    static Found read(long after, Reader reader) {
        long to = END;
        while (true) {
            try {
                return new Found(reader.read(after, to), to);
            } catch (ReadFailureException e) {
                long half = (to - after) >>> 1;
                if (half == 0) {
                    throw e;
                }
                to = after + half;
            }
        }
    }
}
