/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.meteorshower.cassandra.config.WeakWrites;
import org.meteorshower.cassandra.placement.WriteQuorum;
import org.meteorshower.cassandra.tables.TableOptions;

/** What a write into an enabled table may be, and at which consistency level it is done. Thread-safe. */
final class WriteRules {
    private static final Set<ConsistencyLevel> MAJORITIES =
            EnumSet.of(ConsistencyLevel.QUORUM, ConsistencyLevel.EACH_QUORUM, ConsistencyLevel.ALL);
    private static final Set<ConsistencyLevel> ONES = EnumSet.of(
            ConsistencyLevel.ONE,
            ConsistencyLevel.LOCAL_ONE,
            ConsistencyLevel.TWO,
            ConsistencyLevel.THREE,
            ConsistencyLevel.LOCAL_QUORUM,
            ConsistencyLevel.QUORUM,
            ConsistencyLevel.EACH_QUORUM,
            ConsistencyLevel.ALL);

    private final Supplier<WeakWrites> weakWrites;

    WriteRules(Supplier<WeakWrites> weakWrites) {
        this.weakWrites = weakWrites;
    }

    /** @throws InvalidRequestException if the statement is one that has no place in the order of writes */
    static void check(ModificationStatement statement) {
        String table = statement.metadata().toString();
        if (statement.hasConditions()) {
            throw Refusal.refused("conditional writes (IF ...) on " + table + " are not possible while it is enabled:"
                    + " Paxos orders them by a time of its own. Leave out the condition, or keep such rows in a table that"
                    + " is not enabled.");
        }
        if (statement.isTimestampSet()) {
            throw Refusal.refused(
                    "USING TIMESTAMP on " + table + " is not possible while it is enabled: the timestamp is"
                            + " what orders the write after all that its session has seen. Leave it out.");
        }
        if (statement.requiresRead()) {
            throw Refusal.refused("setting or removing list elements by index or value on " + table
                    + " is not possible while it is enabled: it reads the list on a path of its own before it writes."
                    + " Write the whole list, or use a map or set.");
        }
    }

    /**
     * The level to write at.
     *
     * @throws InvalidRequestException if the one asked for is too weak and weak writes are refused
     */
    ConsistencyLevel levelFor(ConsistencyLevel asked, TableOptions options, String table) {
        Set<ConsistencyLevel> sufficient = options.writeQuorum() == WriteQuorum.ONE ? ONES : MAJORITIES;
        if (sufficient.contains(asked)) {
            return asked;
        }
        if (weakWrites.get() == WeakWrites.RAISE && asked != ConsistencyLevel.NODE_LOCAL) {
            return options.writeQuorum() == WriteQuorum.ONE ? ConsistencyLevel.ONE : ConsistencyLevel.QUORUM;
        }
        throw Refusal.refused("a write at " + asked + " into " + table + " is too weak while the table is enabled: use "
                + (options.writeQuorum() == WriteQuorum.ONE ? "ONE or more" : "QUORUM, EACH_QUORUM or ALL")
                + ", or set weak_writes: raise in meteorshower.yaml");
    }
}
