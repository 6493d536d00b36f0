/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.meteorshower.client.MeteorShowerSession;
import org.meteorshower.client.ReadInfo;

/** Payloads that no well-behaved client sends. Each is refused, has no effect, and disturbs no other session. */
@ExtendWith(OneNode.class)
final class BadTokensIT {
    private static final String TOKEN = "meteorshower.token";
    private static final String MODE = "meteorshower.mode";
    private static final long HOUR_MICROS = 3_600_000_000L;

    private static TestCluster cluster;
    private static CqlSession session;

    /** Another client's, at work all the time. */
    private static MeteorShowerSession bystander;

    private ByteBuffer good;

    @BeforeAll
    static void table() throws Exception {
        cluster = OneNode.cluster();
        session = cluster.cql(OneNode.DC);
        cluster.createEnabled("tokens", "id int PRIMARY KEY, v text");
        bystander = MeteorShowerSession.builder()
                .dataCentre(session)
                .requireServed(true)
                .build();
    }

    @BeforeEach
    void write() {
        bystander.execute("INSERT INTO faults.tokens (id, v) VALUES (1, 'one')");
        good = bystander.token().bytes();
    }

    @Test
    void aTokenThatTheServerMadeIsTakenHoweverOld() throws Exception {
        assertThat(read(Map.of(TOKEN, good)).one().getString(0)).isEqualTo("one");
        ByteBuffer old = Tokens.authentic(cluster.tokenSecret(), 1);
        assertThat(read(Map.of(TOKEN, old)).one().getString(0)).isEqualTo("one");
        assertThat(read(Map.of(TOKEN, ByteBuffer.allocate(0))).one().getString(0))
                .isEqualTo("one");
    }

    @Test
    void aForgedTokenIsRefused() {
        refused(Map.of(TOKEN, Tokens.altered(good, 25)), "forged or comes from another cluster");
        refused(Map.of(TOKEN, Tokens.altered(good, 10)), "forged or comes from another cluster");
        refused(Map.of(TOKEN, Tokens.altered(good, 5)), "forged or comes from another cluster");
        refused(Map.of(TOKEN, Tokens.altered(good, 9)), "which this node does not have");
    }

    @Test
    void aTokenWithAnAbsurdCutIsRefused() {
        refused(Map.of(TOKEN, Tokens.withCut(good, Long.MAX_VALUE)), "forged or comes from another cluster");
        refused(Map.of(TOKEN, Tokens.withCut(good, Long.MIN_VALUE)), "forged or comes from another cluster");
        refused(Map.of(TOKEN, Tokens.withCut(good, 0)), "forged or comes from another cluster");
    }

    @Test
    void aTokenFarAheadOfTheClockIsRefusedEvenIfItIsAuthentic() throws Exception {
        long far = System.currentTimeMillis() * 1_000 + HOUR_MICROS;
        refused(Map.of(TOKEN, Tokens.authentic(cluster.tokenSecret(), far)), "ahead");
        refused(Map.of(TOKEN, Tokens.authentic(cluster.tokenSecret(), Long.MAX_VALUE)), "ahead");
        NodeLog.of(cluster, "eu-1").awaitWarning("alarm CLOCK_AHEAD", "token");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 9, 25})
    void aTruncatedTokenIsRefused(int length) {
        refused(Map.of(TOKEN, Tokens.truncated(good, length)), "instead of 26");
    }

    @Test
    void aTokenThatIsTooLongIsRefused() {
        refused(Map.of(TOKEN, Tokens.truncated(good, 27)), "instead of 26");
        refused(Map.of(TOKEN, Tokens.truncated(good, 1 << 20)), "instead of 26");
    }

    @Test
    void aTokenOfAnotherVersionIsRefused() {
        refused(Map.of(TOKEN, Tokens.altered(good, 0)), "version");
    }

    @Test
    void randomBytesAreRefused() {
        Random random = new Random(7);
        for (int i = 0; i < 100; i++) {
            byte[] bytes = new byte[1 + random.nextInt(60)];
            random.nextBytes(bytes);
            refused(Map.of(TOKEN, ByteBuffer.wrap(bytes)), "token");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "STRICT",
                "eventual",
                "bounded",
                "bounded:",
                "bounded:-1",
                "bounded:1e9",
                "bounded:99999999999999999999",
                "sequential; DROP TABLE t",
                "\u0000"
            })
    void aModeThatDoesNotExistIsRefused(String mode) {
        refused(Map.of(MODE, bytes(mode)), "is no read mode: use sequential");
    }

    @Test
    void aModeThatIsNoTextIsRefused() {
        refused(Map.of(MODE, ByteBuffer.wrap(new byte[] {(byte) 0xff, (byte) 0xfe})), "must be UTF-8 text");
    }

    @Test
    void entriesThatNobodyKnowsAreNoMatter() {
        assertThat(read(Map.of("meteorshower.nonsense", bytes("x"), "other", bytes("y")))
                        .one()
                        .getString(0))
                .isEqualTo("one");
    }

    private static void refused(Map<String, ByteBuffer> payload, String because) {
        assertThatThrownBy(() -> read(payload))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining("MeteorShower")
                .hasMessageContaining(because);
        assertThatThrownBy(() -> execute("INSERT INTO faults.tokens (id, v) VALUES (1, 'from a bad session')", payload))
                .isInstanceOf(InvalidQueryException.class)
                .hasMessageContaining(because);
        bystanderIsUnharmed();
    }

    private static void bystanderIsUnharmed() {
        ResultSet rows = bystander.execute("SELECT v FROM faults.tokens WHERE id = 1");
        assertThat(rows.one().getString(0)).isEqualTo("one");
        ReadInfo info = ReadInfo.of(rows.getExecutionInfo()).orElseThrow();
        assertThat(info.staleness()).isLessThan(Duration.ofMinutes(1));
        // A bad token has pushed no clock ahead.
        assertThat(info.cutMicros()).isLessThan((System.currentTimeMillis() + 60_000) * 1_000);
        assertThat(execute("SELECT v FROM faults.tokens WHERE id = 1", Map.of())
                        .one()
                        .getString(0))
                .isEqualTo("one");
    }

    private static ResultSet read(Map<String, ByteBuffer> payload) {
        return execute("SELECT v FROM faults.tokens WHERE id = 1", payload);
    }

    private static ResultSet execute(String statement, Map<String, ByteBuffer> payload) {
        return session.execute(SimpleStatement.newInstance(statement)
                .setConsistencyLevel(ConsistencyLevel.QUORUM)
                .setCustomPayload(payload));
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
