/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.ReadMode;

/** An enabled table is as closed to those without permission as any other. */
@ExtendWith(OneNode.class)
final class PermissionsIT {
    private static final String READ = "SELECT v FROM faults.closed WHERE id = 1";
    private static final String WRITE = "INSERT INTO faults.closed (id, v) VALUES (1, 'by the guest')";
    private static final String ENABLE =
            "INSERT INTO meteorshower.tables (keyspace_name, table_name) VALUES ('faults', 'ordinary')";
    private static final String DISABLE =
            "DELETE FROM meteorshower.tables WHERE keyspace_name = 'faults' AND table_name = 'closed'";

    private static TestCluster cluster;
    private static CqlSession owner;
    private static CqlSession guest;

    @BeforeAll
    static void roles() throws Exception {
        cluster = OneNode.cluster();
        owner = cluster.cql(OneNode.DC);
        cluster.createEnabled("closed", "id int PRIMARY KEY, v text");
        cluster.create("ordinary", "id int PRIMARY KEY, v text");
        owner.execute(quorum("INSERT INTO faults.closed (id, v) VALUES (1, 'by the owner')"));
        owner.execute("CREATE ROLE guest WITH PASSWORD = 'guest' AND LOGIN = true");
        guest = cluster.connector(OneNode.DC)
                .withAuthCredentials("guest", "guest")
                .build();
    }

    @AfterEach
    void revoke() {
        owner.execute("REVOKE ALL ON faults.closed FROM guest");
        owner.execute("REVOKE ALL ON faults.ordinary FROM guest");
        assertThat(owner.execute(quorum(READ)).one().getString(0)).isEqualTo("by the owner");
    }

    @AfterAll
    static void leave() {
        if (guest != null) {
            guest.close();
        }
    }

    @Test
    void withoutPermissionsNothingIsReadOrWrittenWhateverThePayloadSays() {
        unauthorized(quorum(READ), "SELECT");
        unauthorized(quorum(READ).setCustomPayload(Map.of("meteorshower.token", ByteBuffer.allocate(0))), "SELECT");
        unauthorized(quorum("SELECT v FROM faults.closed WHERE id IN (1, 2)"), "SELECT");
        unauthorized(quorum("SELECT v FROM faults.closed"), "SELECT");
        unauthorized(SimpleStatement.newInstance(READ).setConsistencyLevel(ConsistencyLevel.ONE), "SELECT");
        unauthorized(quorum(WRITE), "MODIFY");
        unauthorized(quorum(WRITE).setCustomPayload(Map.of("meteorshower.token", ByteBuffer.allocate(0))), "MODIFY");
        unauthorized(SimpleStatement.newInstance(WRITE).setConsistencyLevel(ConsistencyLevel.ONE), "MODIFY");
        unauthorized(quorum("BEGIN BATCH " + WRITE + " APPLY BATCH"), "MODIFY");
        unauthorized(
                BatchStatement.newInstance(DefaultBatchType.UNLOGGED, SimpleStatement.newInstance(WRITE))
                        .setConsistencyLevel(ConsistencyLevel.QUORUM),
                "MODIFY");
        unauthorized(quorum("TRUNCATE faults.closed"), "MODIFY");
        unauthorized(
                guest.prepare("SELECT v FROM faults.closed WHERE id = ?")
                        .bind(1)
                        .setConsistencyLevel(ConsistencyLevel.QUORUM),
                "SELECT");
        unauthorized(
                guest.prepare("INSERT INTO faults.closed (id, v) VALUES (?, ?)")
                        .bind(1, "by the guest")
                        .setConsistencyLevel(ConsistencyLevel.QUORUM),
                "MODIFY");
    }

    @Test
    void theClientsSessionsAreHeldToPermissionsInEveryMode() {
        MeteorShowerSession session = MeteorShowerSession.over(guest);
        for (ReadMode mode : new ReadMode[] {ReadMode.SEQUENTIAL, ReadMode.METEORSHOWER1, ReadMode.STRICT}) {
            assertThatThrownBy(() -> session.execute(READ, mode)).isInstanceOf(UnauthorizedException.class);
            assertThatThrownBy(() -> session.execute(WRITE, mode)).isInstanceOf(UnauthorizedException.class);
        }
    }

    @Test
    void nobodyUsesTheSessionOfAnotherRole() throws Exception {
        cluster.create("agreed", "id int PRIMARY KEY, v text");
        owner.execute("UPDATE meteorshower.tables SET transactions = true WHERE keyspace_name = 'faults'"
                + " AND table_name = 'agreed'");
        SimpleStatement open = SimpleStatement.newInstance("OPEN TRANSACTION SESSION");
        Waiting.until(
                Duration.ofSeconds(90),
                () -> assertThat(owner.execute(open).one()).isNotNull());
        String resolve =
                "RESOLVE TRANSACTION 1 OF SESSION '" + owner.execute(open).one().getString(0) + "'";

        assertThatThrownBy(() -> guest.execute(resolve))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("another role");
        assertThat(owner.execute(resolve).one().getString("outcome")).isEqualTo("aborted");
    }

    @Test
    void whoMayReadMayNotWrite() {
        owner.execute("GRANT SELECT ON faults.closed TO guest");
        assertThat(guest.execute(quorum(READ)).one().getString(0)).isEqualTo("by the owner");
        assertThat(MeteorShowerSession.over(guest).execute(READ).one().getString(0))
                .isEqualTo("by the owner");
        unauthorized(quorum(WRITE), "MODIFY");
    }

    @Test
    void whoMayWriteMayNotRead() {
        owner.execute("GRANT MODIFY ON faults.closed TO guest");
        guest.execute(quorum("INSERT INTO faults.closed (id, v) VALUES (2, 'by the guest')"));
        unauthorized(quorum(READ), "SELECT");
    }

    @Test
    void enablingAndDisablingATableTakesThePermissionToAlterIt() throws Exception {
        unauthorized(SimpleStatement.newInstance(ENABLE), "MODIFY");
        unauthorized(SimpleStatement.newInstance(DISABLE), "MODIFY");
        owner.execute("GRANT MODIFY ON meteorshower.tables TO guest");
        owner.execute("GRANT SELECT ON faults.ordinary TO guest");
        owner.execute("GRANT MODIFY ON faults.ordinary TO guest");
        unauthorized(SimpleStatement.newInstance(ENABLE), "ALTER");
        unauthorized(SimpleStatement.newInstance(DISABLE), "ALTER");
        assertThat(cluster.stateOf(OneNode.DC, "ordinary")).isEqualTo("not enabled");
        assertThat(cluster.stateOf(OneNode.DC, "closed")).isEqualTo("served");

        owner.execute("GRANT ALTER ON faults.ordinary TO guest");
        guest.execute(ENABLE);
        cluster.awaitServed("ordinary");
        cluster.disable("ordinary");
    }

    private static void unauthorized(Statement<?> statement, String permission) {
        assertThatThrownBy(() -> guest.execute(statement))
                .isInstanceOf(UnauthorizedException.class)
                .hasMessageContaining(permission);
    }

    private static SimpleStatement quorum(String statement) {
        return SimpleStatement.newInstance(statement).setConsistencyLevel(ConsistencyLevel.QUORUM);
    }
}
