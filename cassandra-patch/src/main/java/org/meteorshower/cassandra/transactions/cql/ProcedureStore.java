/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.cql;

import org.jspecify.annotations.Nullable;

/**
 * Where procedures are kept, for all nodes. Thread-safe. Each call blocks, as long as Cassandra's time-out for it at
 * most, and throws a {@link org.apache.cassandra.exceptions.RequestExecutionException} where too few replicas have
 * answered.
 */
public interface ProcedureStore {
    /** What came of an attempt to register. */
    enum Registered {
        NOW,
        /** With this very text, and not dropped. */
        BEFORE,
        /** The version has, or had before it was dropped, another text. Nothing is changed. */
        WITH_ANOTHER_TEXT,
        /** The keyspace has as many as it may have. Nothing is changed. */
        TOO_MANY
    }

    /**
     * The text that was registered; null if none was, or it was dropped. Sees all that was told to be registered or
     * dropped before.
     */
    @Nullable
    String text(ProcedureId id);

    /** @param role who registers it, to be shown; empty where nobody logs in */
    Registered register(ProcedureId id, String text, String role);

    /** Whether it was there. Its version is not given to another text later. */
    boolean drop(ProcedureId id);
}
