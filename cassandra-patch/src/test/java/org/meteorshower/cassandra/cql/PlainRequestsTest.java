/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.cassandra.cql3.CQLStatement;
import org.apache.cassandra.cql3.QueryOptions;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.ReadTimeoutException;
import org.apache.cassandra.exceptions.RequestExecutionException;
import org.apache.cassandra.service.QueryState;
import org.apache.cassandra.transport.messages.ResultMessage;
import org.junit.jupiter.api.Test;

/** Single statements on a table that takes part in transactions, from their text on. */
class PlainRequestsTest {
    private final Door door = new Door();

    private ResultMessage serve(String text, ConsistencyLevel level) {
        CQLStatement statement = door.open.texts().parse(text, new QueryState(Requests.client()), QueryOptions.DEFAULT);
        door.cassandra.calls.clear();
        return door.open.serve(Requests.of(statement, level, null));
    }

    @Test
    void eachIsATransactionOfItsOwn() {
        for (String text : new String[] {
            "SELECT v FROM shared WHERE k = 'a'",
            "INSERT INTO shared (k, v) VALUES ('a', 'x')",
            "BEGIN BATCH INSERT INTO shared (k, v) VALUES ('a', 'x') APPLY BATCH"
        }) {
            assertThatThrownBy(() -> serve(text, ConsistencyLevel.QUORUM))
                    .as(text)
                    .isInstanceOf(RequestExecutionException.class)
                    .hasMessageContaining("nobody runs it");
        }
        assertThat(door.cassandra.calls).isEmpty();
    }

    @Test
    void aBatchOfTheProtocolIsOneTransaction() {
        String insert = "INSERT INTO shared (k, v) VALUES ('a', 'x')";

        assertThatThrownBy(() -> door.open.serve(Requests.batch(insert, insert)))
                .isInstanceOf(RequestExecutionException.class)
                .hasMessageContaining("nobody runs it");
        assertThatThrownBy(
                        () -> door.open.serve(Requests.batch(insert, "INSERT INTO ordinary (k, v) VALUES ('a', 'x')")))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("writes into such tables only");
    }

    @Test
    void aReadThatIsNoTransactionIsCassandrasWhereSomeCopyWillDo() {
        serve("SELECT v FROM shared", ConsistencyLevel.ONE);
        assertThat(door.cassandra.calls).containsExactly("process");

        assertThatThrownBy(() -> serve("SELECT v FROM shared", ConsistencyLevel.QUORUM))
                .isInstanceOf(ReadTimeoutException.class)
                .hasMessageContaining("nobody runs it");
        assertThatThrownBy(() -> serve("SELECT writetime(v) FROM shared", ConsistencyLevel.QUORUM))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("takes part in transactions")
                .hasMessageContaining("read at ONE");
        assertThat(door.cassandra.calls).isEmpty();
    }

    @Test
    void truncatingWaitsForTheTablesAndIsNotCassandras() {
        assertThatThrownBy(() -> serve("TRUNCATE shared", ConsistencyLevel.QUORUM))
                .isInstanceOf(ReadTimeoutException.class)
                .hasMessageContaining("nobody runs it");
        assertThat(door.cassandra.calls).isEmpty();
    }

    @Test
    void aStatementWhoseTextIsNotKnownIsToBePreparedAgain() {
        assertThatThrownBy(() -> door.open.serve(Requests.prepared("SELECT v FROM shared WHERE k = ?", "a")))
                .hasMessageContaining("prepare it again");
    }
}
