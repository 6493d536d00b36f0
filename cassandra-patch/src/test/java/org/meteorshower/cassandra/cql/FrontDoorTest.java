/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.service.QueryState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.tables.GivenTables;
import org.meteorshower.cassandra.tables.TableOptions;
import org.meteorshower.cassandra.transactions.cql.ProcedureStatement;
import org.meteorshower.cassandra.transactions.cql.SessionStatement;
import org.meteorshower.cassandra.transactions.cql.TransactionStatement;

/** Where each kind of request goes. */
class FrontDoorTest {
    private final Door door = new Door();

    private static ClientRequest quorum(String text) {
        return Requests.of(text, ConsistencyLevel.QUORUM);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "SELECT v FROM enabled WHERE k = 'a' | QUORUM | ReadHandler",
                "SELECT v FROM enabled WHERE k IN ('a', 'b') | QUORUM | ReadHandler",
                "SELECT v FROM enabled | QUORUM | ReadHandler",
                "SELECT v FROM enabled WHERE k = 'a' | ALL | CassandraPath",
                "SELECT v FROM enabled WHERE k = 'a' | ONE | CassandraPath",
                "SELECT v FROM enabled WHERE k = 'a' | LOCAL_QUORUM | CassandraPath",
                "SELECT v FROM ordinary WHERE k = 'a' | QUORUM | CassandraPath",
                "SELECT v FROM shared WHERE k = 'a' | QUORUM | PlainStatements",
                "SELECT v FROM shared WHERE k = 'a' | ONE | PlainStatements",
                "INSERT INTO enabled (k, v) VALUES ('a', 'x') | QUORUM | WriteHandler",
                "INSERT INTO enabled (k, v) VALUES ('a', 'x') | ONE | WriteHandler",
                "UPDATE enabled SET v = 'x' WHERE k = 'a' | QUORUM | WriteHandler",
                "DELETE FROM enabled WHERE k = 'a' | QUORUM | WriteHandler",
                "INSERT INTO ordinary (k, v) VALUES ('a', 'x') | QUORUM | CassandraPath",
                "INSERT INTO shared (k, v) VALUES ('a', 'x') | QUORUM | PlainStatements",
                "TRUNCATE enabled | QUORUM | TruncateHandler",
                "TRUNCATE ordinary | QUORUM | CassandraPath",
                "TRUNCATE shared | QUORUM | PlainStatements",
            })
    void aStatementGoesByItsTableAndItsLevel(String text, ConsistencyLevel level, String taker) {
        assertThat(door.takerOf(Requests.of(text, level))).isEqualTo(taker);
    }

    @Test
    void aBatchGoesByItsTablesHoweverItCame() {
        String ordinary = "INSERT INTO ordinary (k, v) VALUES ('a', 'x')";
        String enabled = "INSERT INTO enabled (k, v) VALUES ('a', 'x')";
        String shared = "INSERT INTO shared (k, v) VALUES ('a', 'x')";

        assertThat(door.takerOf(Requests.batch(ordinary, enabled))).isEqualTo("WriteHandler");
        assertThat(door.takerOf(Requests.batch(ordinary))).isEqualTo("CassandraPath");
        assertThat(door.takerOf(Requests.batch(ordinary, shared))).isEqualTo("PlainStatements");
        assertThat(door.takerOf(quorum("BEGIN BATCH " + ordinary + "; " + enabled + " APPLY BATCH")))
                .isEqualTo("WriteHandler");
        assertThat(door.takerOf(quorum("BEGIN BATCH " + ordinary + " APPLY BATCH")))
                .isEqualTo("CassandraPath");
        assertThat(door.takerOf(quorum("BEGIN BATCH " + shared + " APPLY BATCH")))
                .isEqualTo("PlainStatements");
    }

    @Test
    void whatCassandraDoesNotKnowGoesToWhoDoes() {
        assertThat(door.takerOf(request(SessionStatement.parse("OPEN TRANSACTION SESSION"))))
                .isEqualTo("Sessions");
        assertThat(door.takerOf(request(ProcedureStatement.parse("DROP PROCEDURE p VERSION 1", Requests.client()))))
                .isEqualTo("Procedures");
        assertThat(door.takerOf(request(TransactionStatement.parse(
                        "BEGIN TRANSACTION SELECT v FROM shared WHERE k = 'a'; COMMIT TRANSACTION",
                        Requests.client()))))
                .isEqualTo("Transactions");
    }

    private static ClientRequest request(CQLStatement statement) {
        return Requests.of(statement, ConsistencyLevel.QUORUM, null);
    }

    @Test
    void withOneReplicaWrittenReadsAtAllAreServedAndScansWhereTheOptionsSaySo() {
        GivenTables.enable(door.enabled, TableOptions.parse("w=one, ranges=cassandra"), Requests.ENABLED);

        assertThat(door.takerOf(Requests.of("SELECT v FROM enabled WHERE k = 'a'", ConsistencyLevel.ALL)))
                .isEqualTo("ReadHandler");
        assertThat(door.takerOf(quorum("SELECT v FROM enabled"))).isEqualTo("CassandraPath");
    }

    @Test
    void cassandraIsAskedTheWayTheRequestCame() {
        door.open.serve(quorum("SELECT v FROM ordinary WHERE k = 'a'"));
        door.open.serve(Requests.prepared("SELECT v FROM ordinary WHERE k = ?", "a"));
        door.open.serve(Requests.batch("INSERT INTO ordinary (k, v) VALUES ('a', 'x')"));
        door.open.serve(quorum("BEGIN BATCH INSERT INTO ordinary (k, v) VALUES ('a', 'x') APPLY BATCH"));

        assertThat(door.cassandra.calls).containsExactly("process", "processPrepared", "processBatch", "process");
    }

    @Test
    void withNothingEnabledAllButTransactionsIsCassandras() {
        GivenTables.enable(door.enabled, TableOptions.DEFAULT);
        door.open.serve(quorum("SELECT v FROM enabled WHERE k = 'a'"));
        door.open.serve(quorum("TRUNCATE enabled"));

        assertThat(door.cassandra.calls).containsExactly("process", "process");
    }

    @Test
    void nobodyTakesWhatNoHandlerIsFor() {
        FrontDoor empty = new FrontDoor(StatementTexts.closed(door.cassandra, door.known), List.of());
        assertThatThrownBy(() -> empty.serve(quorum("SELECT v FROM ordinary")))
                .isInstanceOf(IllegalStateException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SELECT v FROM enabled WHERE k = 'a'",
                "INSERT INTO enabled (k, v) VALUES ('a', 'x')",
                "TRUNCATE enabled",
                "SELECT v FROM shared WHERE k = 'a'",
                "INSERT INTO shared (k, v) VALUES ('a', 'x')",
            })
    void aNodeOnWhichThePluginDoesNotRunRefusesWhatNeedsIt(String text) {
        assertThatThrownBy(() -> door.closed.serve(quorum(text)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("MeteorShower is not running on this node");
        assertThat(door.cassandra.calls).isEmpty();
    }

    @Test
    void andServesTheRest() {
        door.closed.serve(quorum("SELECT v FROM ordinary WHERE k = 'a'"));
        door.closed.serve(Requests.of("SELECT v FROM enabled WHERE k = 'a'", ConsistencyLevel.ONE));
        door.closed.serve(Requests.batch("INSERT INTO ordinary (k, v) VALUES ('a', 'x')"));

        assertThat(door.cassandra.calls).containsExactly("process", "process", "processBatch");
    }

    @Test
    void textsAreReadByWhoKnowsThem() {
        QueryState state = new QueryState(Requests.client());
        StatementTexts texts = door.open.texts();

        assertThat(texts.parse("open transaction session", state, QueryOptions.DEFAULT))
                .isInstanceOf(SessionStatement.class);
        assertThat(texts.parse("DROP PROCEDURE p VERSION 1", state, QueryOptions.DEFAULT))
                .isInstanceOf(ProcedureStatement.class);
        assertThat(texts.parse(
                        "BEGIN TRANSACTION SELECT v FROM shared WHERE k = 'a'; COMMIT TRANSACTION",
                        state,
                        QueryOptions.DEFAULT))
                .isInstanceOf(TransactionStatement.class);
        assertThat(door.cassandra.calls).isEmpty();
        texts.parse("SELECT v FROM ordinary", state, QueryOptions.DEFAULT);
        assertThat(door.cassandra.calls).containsExactly("parse");
    }

    @Test
    void aTextThatHoldsMoreThanAWriteMayIsRefusedWhereItIsAWriteOfAnEnabledTable() {
        QueryState state = new QueryState(Requests.client());
        String values = " (k, v) VALUES ('a', '" + "x".repeat(3_000) + "')";
        StatementTexts texts = door.open.texts();

        assertThatThrownBy(() -> texts.parse("INSERT INTO enabled" + values, state, QueryOptions.DEFAULT))
                .hasMessageContaining("memory.largest_write_mb");
        texts.parse("INSERT INTO ordinary" + values, state, QueryOptions.DEFAULT);
    }

    @Test
    void callsAndPreparationsOfWhatIsNotPreparedAreRefusedAtTheDoor() {
        assertThatThrownBy(() -> door.closed.texts().prepare("CALL p VERSION 1 ()", Requests.client(), null))
                .hasMessageContaining("not running");
        assertThatThrownBy(() -> door.open.texts().prepare("OPEN TRANSACTION SESSION", Requests.client(), null))
                .hasMessageContaining("not prepared");
        assertThatThrownBy(() -> door.open.texts().prepare("DROP PROCEDURE p VERSION 1", Requests.client(), null))
                .hasMessageContaining("not prepared");
    }
}
