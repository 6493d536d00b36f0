/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.apache.cassandra.cql3.Attributes;
import org.apache.cassandra.cql3.statements.BatchStatement;

/** The one private field of Cassandra's that writes need: whether {@code BEGIN BATCH USING TIMESTAMP} was said. */
public final class BatchInternals {
    private final VarHandle attributes;

    /** @throws IllegalStateException if this release of Cassandra has no such field */
    public BatchInternals() {
        try {
            attributes = MethodHandles.privateLookupIn(BatchStatement.class, MethodHandles.lookup())
                    .findVarHandle(BatchStatement.class, "attrs", Attributes.class);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "this release of Cassandra keeps a batch's attributes elsewhere (" + e
                            + "): install the plugin made for it, or remove the -javaagent option",
                    e);
        }
    }

    boolean hasTimestamp(BatchStatement batch) {
        return ((Attributes) attributes.get(batch)).isTimestampSet();
    }
}
