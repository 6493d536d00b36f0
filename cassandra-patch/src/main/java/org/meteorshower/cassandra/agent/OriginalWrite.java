/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.agent;

import org.apache.cassandra.db.Mutation;
import org.apache.cassandra.db.WriteContext;

/** What Cassandra's keyspace write handler did before {@link HookInstaller} put a hook in front of it. */
public interface OriginalWrite {
    String METHOD = "meteorshowerBeginWrite";

    /** Opens the write's order group and appends the mutation to the commit log. */
    WriteContext meteorshowerBeginWrite(Mutation mutation, boolean makeDurable);
}
