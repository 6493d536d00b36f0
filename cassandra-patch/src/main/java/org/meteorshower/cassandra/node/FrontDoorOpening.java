/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.util.List;
import org.apache.cassandra.cql3.QueryHandler;
import org.meteorshower.cassandra.cql.CassandraPath;
import org.meteorshower.cassandra.cql.ClosedMeanwhile;
import org.meteorshower.cassandra.cql.DisabledMeanwhile;
import org.meteorshower.cassandra.cql.FrontDoor;
import org.meteorshower.cassandra.cql.KnownStatements;
import org.meteorshower.cassandra.cql.MeteorShowerQueryHandler;
import org.meteorshower.cassandra.cql.ServedTables;
import org.meteorshower.cassandra.cql.StatementTexts;
import org.meteorshower.cassandra.cql.TruncateHandler;
import org.meteorshower.cassandra.tables.SchemaGuard;
import org.meteorshower.cassandra.transactions.cql.PlainStatements;
import org.meteorshower.cassandra.transactions.cql.Transactions;

/** Makes the front door of a node that is up: who takes requests, in which order. */
final class FrontDoorOpening {
    private FrontDoorOpening() {}

    static FrontDoor make(
            QueryHandler cassandra, TablesPart ofTables, SequentialPart sequential, TransactionsPart parts) {
        KnownStatements known = MeteorShowerQueryHandler.known();
        Transactions transactions = parts.face;
        ServedTables tables = sequential.served;
        CassandraPath rest = new CassandraPath(cassandra, new SchemaGuard(() -> !tables.none(), parts.letsIn));
        PlainStatements single = new PlainStatements(known.texts(), transactions, rest::run);
        DisabledMeanwhile ordinary = new DisabledMeanwhile(
                tables,
                ofTables.endings,
                List.of(sequential.reads, sequential.writes, new TruncateHandler(tables)),
                rest);
        return new FrontDoor(
                new StatementTexts(cassandra, known, parts.procedures, sequential.writes::checkText),
                List.of(
                        transactions.sessions(),
                        parts.procedures,
                        transactions,
                        single,
                        new ClosedMeanwhile(ofTables.requests, ofTables.enabled, single, ordinary)));
    }
}
