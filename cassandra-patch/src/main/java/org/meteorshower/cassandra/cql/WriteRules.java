/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.util.EnumSet;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.schema.TableMetadata;
import org.meteorshower.cassandra.config.WeakWrites;
import org.meteorshower.cassandra.placement.WriteQuorum;
import org.meteorshower.cassandra.tables.TableOptions;
import org.meteorshower.cassandra.transactions.TransactionTables;

/** What a write into an enabled table may be, and at which consistency level it is done. Thread-safe. */
final class WriteRules {
    /** The levels at which a write waits until it takes effect: the least of them, and all of them in words. */
    private record Sufficient(ConsistencyLevel least, String words, Set<ConsistencyLevel> levels) {
        private static final Sufficient ONES = new Sufficient(
                ConsistencyLevel.ONE,
                "ONE or more",
                EnumSet.complementOf(EnumSet.of(
                        ConsistencyLevel.ANY,
                        ConsistencyLevel.SERIAL,
                        ConsistencyLevel.LOCAL_SERIAL,
                        ConsistencyLevel.NODE_LOCAL)));
        private static final Sufficient MAJORITIES = new Sufficient(
                ConsistencyLevel.QUORUM,
                "QUORUM, EACH_QUORUM or ALL",
                EnumSet.of(ConsistencyLevel.QUORUM, ConsistencyLevel.EACH_QUORUM, ConsistencyLevel.ALL));
        private static final Sufficient ALL =
                new Sufficient(ConsistencyLevel.ALL, "ALL", EnumSet.of(ConsistencyLevel.ALL));

        static Sufficient at(WriteQuorum quorum) {
            return switch (quorum) {
                case ONE -> ONES;
                case MAJORITY -> MAJORITIES;
                case ALL -> ALL;
            };
        }
    }

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
     * The level to write at. A table that is enabled only on its way into transactions takes any: it did before, and
     * will.
     *
     * @throws InvalidRequestException if the one asked for is too weak and weak writes are refused
     */
    ConsistencyLevel levelFor(ConsistencyLevel asked, TableOptions options, TableMetadata table) {
        Sufficient sufficient = Sufficient.at(options.writeQuorum());
        if (sufficient.levels.contains(asked)) {
            return asked;
        }
        boolean raise = weakWrites.get() == WeakWrites.RAISE || TransactionTables.stage(table) != null;
        if (raise && asked != ConsistencyLevel.NODE_LOCAL) {
            return sufficient.least;
        }
        throw Refusal.refused("a write at " + asked + " into " + table + " is too weak while the table is enabled: use "
                + sufficient.words + ", or set weak_writes: raise in meteorshower.yaml");
    }
}
