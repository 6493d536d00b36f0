/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.transactions.node;

import java.util.List;
import java.util.UUID;
import org.apache.cassandra.cql3.QueryProcessor;
import org.apache.cassandra.cql3.UntypedResultSet;
import org.apache.cassandra.db.ConsistencyLevel;

/**
 * Tells a data centre that is founded from one that has lost its disk: both are blank. What all data centres hold
 * remembers who was founded; a number that this data centre has noted first tells whether that was this very disk, cut
 * short. Blocks.
 */
final class Founding {
    /** What a blank data centre is. */
    enum Kind {
        FOUNDED_NOW,
        DISK_LOST
    }

    private final LogKeyspace keyspace;
    private final List<String> members;

    Founding(LogKeyspace keyspace, List<String> members) {
        this.keyspace = keyspace;
        this.members = members;
    }

    /** @throws IllegalStateException if it was founded with other data centres, or another process was quicker */
    Kind blank() {
        UUID noted = note();
        UntypedResultSet founded = founded();
        if (founded.isEmpty()) {
            var unused = QueryProcessor.execute(
                    "INSERT INTO " + keyspace.shared() + ".founded (data_centre, nonce, members) VALUES (?, ?, ?)",
                    ConsistencyLevel.QUORUM,
                    keyspace.dataCentre(),
                    noted,
                    String.join(",", members));
            return Kind.FOUNDED_NOW;
        }
        requireSame(founded.one().getString("members"));
        return founded.one().getUUID("nonce").equals(noted) ? Kind.FOUNDED_NOW : Kind.DISK_LOST;
    }

    private void requireSame(String then) {
        if (!then.equals(String.join(",", members))) {
            throw new IllegalStateException("transactions were founded with the data centres " + then
                    + ", in this order, and by transactions.data_centres they are now " + String.join(",", members)
                    + ": the list cannot be changed");
        }
    }

    /**
     * The first number that was ever noted on this disk.
     *
     * @throws IllegalStateException if that was together with other data centres
     */
    UUID note() {
        UntypedResultSet found = noted();
        if (found.isEmpty()) {
            var unused = QueryProcessor.execute(
                    "INSERT INTO " + keyspace.table("founding") + " (part, nonce, members) VALUES ("
                            + LogKeyspace.PARTITION + ", ?, ?) IF NOT EXISTS",
                    ConsistencyLevel.LOCAL_QUORUM,
                    UUID.randomUUID(),
                    String.join(",", members));
            found = noted();
        }
        UntypedResultSet.Row noted = found.one();
        requireSame(noted.getString("members"));
        return noted.getUUID("nonce");
    }

    /** Whether nothing was ever noted on this disk. */
    boolean isBlank() {
        return noted().isEmpty();
    }

    /** Written once, so what a quorum has is what there is. */
    private UntypedResultSet noted() {
        return QueryProcessor.execute(
                "SELECT nonce, members FROM " + keyspace.table("founding") + " WHERE part = " + LogKeyspace.PARTITION,
                ConsistencyLevel.LOCAL_QUORUM);
    }

    private UntypedResultSet founded() {
        return QueryProcessor.execute(
                "SELECT nonce, members FROM " + keyspace.shared() + ".founded WHERE data_centre = ?",
                ConsistencyLevel.QUORUM,
                keyspace.dataCentre());
    }
}
