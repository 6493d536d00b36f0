/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.List;
import org.apache.cassandra.cql3.QueryHandler;
import org.meteorshower.cassandra.cql.CassandraPath;
import org.meteorshower.cassandra.cql.DisabledMeanwhile;
import org.meteorshower.cassandra.cql.FrontDoor;
import org.meteorshower.cassandra.cql.KnownStatements;
import org.meteorshower.cassandra.cql.MeteorShowerQueryHandler;
import org.meteorshower.cassandra.cql.ReadHandler;
import org.meteorshower.cassandra.cql.ServedTables;
import org.meteorshower.cassandra.cql.StatementTexts;
import org.meteorshower.cassandra.cql.TruncateHandler;
import org.meteorshower.cassandra.cql.WriteHandler;
import org.meteorshower.cassandra.tables.EndingTables;
import org.meteorshower.cassandra.transactions.cql.PlainStatements;
import org.meteorshower.cassandra.transactions.cql.Procedures;
import org.meteorshower.cassandra.transactions.cql.Transactions;

/** Makes the front door of a node that is up: who takes requests, in which order. */
final class FrontDoorOpening {
    /** The handlers of enabled tables. */
    record OfTables(ServedTables tables, EndingTables endings, ReadHandler reads, WriteHandler writes) {}

    private FrontDoorOpening() {}

    static FrontDoor make(
            QueryHandler cassandra, OfTables sequential, Transactions transactions, Procedures procedures) {
        KnownStatements known = MeteorShowerQueryHandler.known();
        ServedTables tables = sequential.tables();
        CassandraPath rest = new CassandraPath(cassandra, () -> !tables.none());
        return new FrontDoor(
                new StatementTexts(cassandra, known, procedures, sequential.writes()::checkText),
                List.of(
                        transactions.sessions(),
                        procedures,
                        transactions,
                        new PlainStatements(known.texts(), transactions, rest::run),
                        new DisabledMeanwhile(
                                tables,
                                sequential.endings(),
                                List.of(sequential.reads(), sequential.writes(), new TruncateHandler(tables)),
                                rest)));
    }
}
