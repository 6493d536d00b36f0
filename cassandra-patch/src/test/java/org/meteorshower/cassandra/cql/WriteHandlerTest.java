/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import org.apache.cassandra.cql3.BatchQueryOptions;
import org.apache.cassandra.cql3.statements.BatchStatement;
import org.apache.cassandra.cql3.statements.ModificationStatement;
import org.apache.cassandra.db.ConsistencyLevel;
import org.apache.cassandra.db.WriteType;
import org.apache.cassandra.exceptions.InvalidRequestException;
import org.apache.cassandra.exceptions.UnavailableException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.cassandra.config.WeakWrites;
import org.meteorshower.cassandra.metrics.Refusals;
import org.meteorshower.cassandra.request.ClientRequest;
import org.meteorshower.cassandra.tables.GivenTables;
import org.meteorshower.cassandra.tables.TableOptions;

/** What becomes of writes into enabled tables, up to where a node would fix their timestamp. */
class WriteHandlerTest {
    private static final String WRITE = "INSERT INTO enabled (k, v) VALUES ('a', 'x')";

    private final Door door = new Door();
    private final WriteMaker raising = new WriteMaker(door.tables, () -> WeakWrites.RAISE, new BatchInternals());

    private Write made(ClientRequest request) {
        return request.statement() instanceof BatchStatement batch
                ? raising.of(batch, Requests.ENABLED, request)
                : raising.of((ModificationStatement) request.statement(), request);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INSERT INTO enabled (k, v) VALUES ('a', 'x') USING TIMESTAMP 5",
                "INSERT INTO enabled (k, v) VALUES ('a', 'x') IF NOT EXISTS",
                "BEGIN BATCH USING TIMESTAMP 5 INSERT INTO enabled (k, v) VALUES ('a', 'x') APPLY BATCH",
                "BEGIN BATCH INSERT INTO enabled (k, v) VALUES ('a', 'x');"
                        + " INSERT INTO ordinary (k, v) VALUES ('a', 'x') USING TIMESTAMP 5 APPLY BATCH",
            })
    void whatHasATimeOfItsOwnHasNoPlaceInTheOrder(String text) {
        assertThatThrownBy(() -> door.open.serve(Requests.of(text, ConsistencyLevel.QUORUM)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("MeteorShower");
        assertThat(door.refusals.recent()).singleElement().satisfies(entry -> {
            assertThat(entry.operation()).isEqualTo("write");
            assertThat(entry.table()).isEqualTo("doors.enabled");
        });
    }

    @Test
    void aWeakWriteIsRefusedOrRaised() {
        ClientRequest weak = Requests.of(WRITE, ConsistencyLevel.ONE);

        assertThatThrownBy(() -> door.open.serve(weak)).hasMessageContaining("too weak");
        assertThat(made(weak).level()).isEqualTo(ConsistencyLevel.QUORUM);
        GivenTables.enable(door.enabled, TableOptions.parse("w=one"), Requests.ENABLED);
        assertThat(made(weak).level()).isEqualTo(ConsistencyLevel.ONE);
        GivenTables.enable(door.enabled, TableOptions.parse("w=all"), Requests.ENABLED);
        assertThat(made(weak).level()).isEqualTo(ConsistencyLevel.ALL);
    }

    @Test
    void aWriteNamesItsPartitionsAndWhatEachIsGiven() {
        Write one = made(Requests.prepared("INSERT INTO enabled (k, v) VALUES (?, ?)", "a", "12345"));
        assertThat(one.type()).isEqualTo(WriteType.SIMPLE);
        assertThat(one.measured()).isEqualTo(Requests.ENABLED);
        assertThat(one.keys().values()).containsExactly(6L);
    }

    @Test
    void aBatchIsOneWriteHoweverItCame() {
        String other = "INSERT INTO enabled (k, v) VALUES ('b', 'y')";
        String ordinary = "INSERT INTO ordinary (k, v) VALUES ('c', 'z')";

        Write batch = made(Requests.batch(ordinary, WRITE, other, WRITE));
        assertThat(batch.type()).isEqualTo(WriteType.BATCH);
        assertThat(batch.keys()).hasSize(2);
        Write text = made(Requests.of(
                "BEGIN BATCH " + String.join("; ", ordinary, WRITE, other, WRITE) + " APPLY BATCH",
                ConsistencyLevel.QUORUM));
        assertThat(text.keys()).isEqualTo(batch.keys());
        assertThat(text.level()).isEqualTo(batch.level());
    }

    @Test
    void theStatementsOfABatchKeepTheirValuesAtOneTimestamp() {
        ClientRequest request = Requests.prepared(
                "BEGIN BATCH INSERT INTO enabled (k, v) VALUES (?, 'x'); DELETE FROM enabled WHERE k = ? APPLY BATCH",
                "a",
                "b");
        BatchStatement batch = (BatchStatement) request.statement();
        BatchQueryOptions stamped = StampedOptions.of(batch, request.options(), ConsistencyLevel.ALL, 7_000_000);

        assertThat(stamped.getTimestamp(request.state())).isEqualTo(7_000_000);
        assertThat(stamped.getNowInSeconds(request.state())).isEqualTo(7);
        assertThat(stamped.getConsistency()).isEqualTo(ConsistencyLevel.ALL);
        for (int i = 0; i < 2; i++) {
            assertThat(stamped.forStatement(i).getValues())
                    .isEqualTo(request.only().getValues());
        }
        assertThat(made(request).keys()).hasSize(2);
    }

    @Test
    void aTableThatThisNodeDoesNotFollowYetIsNotWritten() {
        GivenTables.unfollow(door.enabled);

        assertThatThrownBy(() -> door.open.serve(Requests.of(WRITE, ConsistencyLevel.QUORUM)))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("has not caught up");
        assertThatThrownBy(() -> door.open.serve(Requests.batch(WRITE))).isInstanceOf(UnavailableException.class);
    }

    @Test
    void aWriteThatNoNodeCouldKeepIsRefusedBeforeItBegins() {
        ClientRequest large = Requests.prepared("INSERT INTO enabled (k, v) VALUES (?, ?)", "a", "x".repeat(2_000));

        assertThatThrownBy(() -> door.open.serve(large)).hasMessageContaining("memory.largest_write_mb");
    }

    @Test
    void truncatingIsRefusedAndCounted() {
        assertThatThrownBy(() -> door.open.serve(Requests.of("TRUNCATE enabled", ConsistencyLevel.QUORUM)))
                .hasMessageContaining("TRUNCATE has no place");
        assertThat(door.refusals.recent())
                .extracting(Refusals.Entry::operation, Refusals.Entry::table)
                .containsExactly(tuple("truncate", "doors.enabled"));
    }
}
