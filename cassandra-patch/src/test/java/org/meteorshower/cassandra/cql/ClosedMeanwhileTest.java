/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.OverloadedException;
import org.apache.cassandra.exceptions.WriteTimeoutException;
import org.apache.cassandra.schema.KeyspaceMetadata;
import org.apache.cassandra.schema.Schema;
import org.apache.cassandra.schema.TableId;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.tables.RequestsUnderWay;
import org.meteorshower.cassandra.transactions.TransactionOptions;
import org.meteorshower.protocol.TakingPart.Stage;

/** docs/CATENAE.md, "How a table begins to take part", as a request meets it. */
class ClosedMeanwhileTest {
    private static final String WRITE = "INSERT INTO changing (k, v) VALUES ('a', 'x')";

    private final Door door = new Door();

    /** As a client has prepared it, when the table was an ordinary one. */
    private final CQLStatement before = Requests.parse(WRITE);

    private static void becomes(Stage stage) {
        change(new TransactionOptions(17, 0, stage).in(current()));
    }

    private static TableMetadata current() {
        return Schema.instance.getTableMetadata(Requests.CHANGING.id);
    }

    private static void change(TableMetadata table) {
        Schema.instance.transform(schema -> {
            KeyspaceMetadata keyspace = schema.getNullable(Requests.KEYSPACE);
            return schema.withAddedOrUpdated(keyspace.withSwapped(keyspace.tables.withSwapped(table)));
        });
    }

    @AfterEach
    void isOrdinaryAgain() {
        change(TransactionOptions.without(current()));
    }

    private static ClientRequest request(CQLStatement statement) {
        return Requests.of(statement, ConsistencyLevel.QUORUM, null);
    }

    private void serveBefore() {
        door.open.serve(request(before));
    }

    @Test
    void untilItIsClosedATableIsCassandras() {
        serveBefore();
        becomes(Stage.COMING_TOGETHER);
        serveBefore();
        assertThat(door.cassandra.calls).containsExactly("process", "process");
    }

    @Test
    void statementsThatWerePreparedBeforeAreTransactions() {
        becomes(Stage.OPEN);
        assertThat(door.takerOf(request(before))).isEqualTo("PlainStatements");
        assertThat(door.cassandra.calls).isEmpty();
    }

    @Test
    void whatComesWhileItIsClosedWaitsAndIsATransactionThen() throws InterruptedException {
        becomes(Stage.CLOSED);
        door.known.texts().remember(before, WRITE, Requests.KEYSPACE);
        Thread opening = new Thread(() -> {
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            becomes(Stage.OPEN);
        });
        opening.start();
        assertThatThrownBy(this::serveBefore)
                .as("nobody runs it here")
                .isInstanceOf(WriteTimeoutException.class)
                .hasMessageContaining("nobody runs it");
        opening.join();
        assertThat(door.cassandra.calls).isEmpty();
    }

    /** Its text is needed for that, and was of no use when it was parsed. */
    @Test
    void whatWasParsedJustBeforeIsToBeSentAgain() {
        ClientRequest request = request(before);
        becomes(Stage.OPEN);
        assertThatThrownBy(() -> new ClosedMeanwhile(door.underWay, door.enabled, door.single, door.meanwhile)
                        .take(request)
                        .run())
                .isInstanceOf(OverloadedException.class)
                .hasMessageContaining("since this moment");
    }

    @Test
    void requestsAreCountedWhileCassandraHasThem() {
        TableId table = Requests.CHANGING.id;
        long then = door.underWay.now(table);
        serveBefore();
        assertThat(door.underWay.areOver(table, then)).isTrue();
        RequestsUnderWay.Begun goesOn = door.underWay.begin(Set.of(table));
        long later = door.underWay.now(table);
        assertThat(door.underWay.areOver(table, later)).isFalse();
        assertThat(door.underWay.areOver(Requests.ORDINARY.id, door.underWay.now(Requests.ORDINARY.id)))
                .isTrue();
        goesOn.end();
        assertThat(door.underWay.areOver(table, door.underWay.now(table))).isTrue();
    }
}
