/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import com.datastax.oss.driver.api.core.servererrors.WriteFailureException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import com.datastax.oss.protocol.internal.ProtocolConstants.ErrorCode;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a session does and tells when a coordinator fails: three nodes in one data centre. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FailuresTest {

    private static final String READ = "SELECT v FROM ks.t WHERE k = 1";
    private static final String WRITE = "INSERT INTO ks.t (k, v) VALUES (1, 'a')";

    private static final Duration IMPATIENT = Duration.ofMillis(800);

    private final FakeDataCentre eu = new FakeDataCentre("eu", 3);

    @AfterAll
    void stop() {
        eu.close();
    }

    @AfterEach
    void recover() {
        eu.asked().clear();
        eu.awaitConnected();
    }

    private MeteorShowerSession session() {
        MeteorShowerSession session = MeteorShowerSession.over(eu.cql);
        session.observe(Tokens.at(5));
        return session;
    }

    /** The first coordinator asked gives this reply, the others a row or an acknowledgement at cut 6. */
    private void firstSays(Reply reply) {
        AtomicInteger count = new AtomicInteger();
        eu.behave(asked -> count.getAndIncrement() == 0
                ? reply
                : (asked.query().startsWith("SELECT") ? Reply.row("a") : Reply.done()).atCut(6));
    }

    /** A statement that is given up soon where there will be no answer. */
    private static SimpleStatement patientFor(Reply reply, String query) {
        SimpleStatement statement = SimpleStatement.newInstance(query);
        return Objects.equals(reply, Reply.SILENCE) ? statement.setTimeout(IMPATIENT) : statement;
    }

    static Stream<Arguments> unknown() {
        return Stream.of(
                Arguments.of(Reply.writeTimeout(), WriteTimeoutException.class),
                Arguments.of(Reply.writeFailure(), WriteFailureException.class),
                Arguments.of(Reply.error(ErrorCode.SERVER_ERROR), ServerError.class),
                Arguments.of(Reply.error(ErrorCode.OVERLOADED), OverloadedException.class),
                Arguments.of(Reply.SILENCE, DriverTimeoutException.class),
                Arguments.of(Reply.HANG_UP, ClosedConnectionException.class));
    }

    @ParameterizedTest
    @MethodSource("unknown")
    void aWriteThatMayHaveTakenEffectIsToldAsUnknownAndSentOnlyOnce(Reply reply, Class<?> cause) {
        eu.behave(asked -> reply);
        MeteorShowerSession session = session();
        assertThatThrownBy(() -> session.execute(patientFor(reply, WRITE).setIdempotent(true)))
                .isInstanceOf(UnknownOutcomeException.class)
                .hasCauseInstanceOf(cause.asSubclass(Throwable.class))
                .hasMessageContaining("second write");
        assertThat(eu.asked()).hasSize(1);
        assertThat(session.token()).isEqualTo(Tokens.at(5));
    }

    @Test
    void theAsynchronousStageGivesTheSameExceptionWithItsCause() {
        eu.behave(asked -> Reply.writeTimeout());
        assertThat(session().executeAsync(WRITE).toCompletableFuture())
                .failsWithin(Duration.ofSeconds(20))
                .withThrowableOfType(ExecutionException.class)
                .withCauseInstanceOf(UnknownOutcomeException.class)
                .withRootCauseInstanceOf(WriteTimeoutException.class);
    }

    @Test
    void aWriteThatACoordinatorRefusedForLackOfReplicasGoesToTheNext() {
        firstSays(Reply.unavailable());
        MeteorShowerSession session = session();
        session.execute(WRITE);
        assertThat(eu.asked().stream().map(Asked::node).distinct()).hasSize(2);
        assertThat(eu.asked().stream().map(Asked::token)).containsOnly(Tokens.at(5));
        assertThat(session.token()).isEqualTo(Tokens.at(6));
    }

    @Test
    void whenEveryCoordinatorLacksReplicasTheWriteHasCertainlyFailed() {
        eu.behave(asked -> Reply.unavailable());
        assertThatThrownBy(() -> session().execute(WRITE)).isInstanceOf(UnavailableException.class);
        assertThat(eu.asked().stream().map(Asked::node)).doesNotHaveDuplicates().hasSize(3);
    }

    @Test
    void aWriteInStepsThatLacksReplicasIsUnknownSinceAnEarlierStepMayHaveBeenSent() {
        eu.behave(asked -> Reply.unavailable());
        assertThatThrownBy(() -> session().execute("DELETE FROM ks.t WHERE k IN (1, 2)"))
                .isInstanceOf(UnknownOutcomeException.class);
        assertThat(eu.asked()).hasSize(1);
    }

    @Test
    void anInvalidStatementIsToldAtOnce() {
        eu.behave(asked -> Reply.error(ErrorCode.INVALID));
        assertThatThrownBy(() -> session().execute(WRITE)).isInstanceOf(InvalidQueryException.class);
        assertThatThrownBy(() -> session().execute(READ)).isInstanceOf(InvalidQueryException.class);
        assertThat(eu.asked()).hasSize(2);
    }

    static Stream<Reply> nodeTrouble() {
        return Stream.of(
                Reply.SILENCE,
                Reply.HANG_UP,
                Reply.unavailable(),
                Reply.error(ErrorCode.SERVER_ERROR),
                Reply.error(ErrorCode.OVERLOADED),
                Reply.error(ErrorCode.IS_BOOTSTRAPPING));
    }

    @ParameterizedTest
    @MethodSource("nodeTrouble")
    void aReadGoesToTheNextCoordinatorWithTheSameToken(Reply reply) {
        firstSays(reply);
        MeteorShowerSession session = session();
        assertThat(session.execute(patientFor(reply, READ)).one().getString("v"))
                .isEqualTo("a");
        assertThat(eu.asked().stream().map(Asked::node)).doesNotHaveDuplicates().hasSize(2);
        assertThat(eu.asked().stream().map(Asked::token)).containsOnly(Tokens.at(5));
        assertThat(session.token()).isEqualTo(Tokens.at(6));
    }

    @Test
    void aCancelledReadTriesNoFurtherCoordinator() throws Exception {
        eu.behave(asked -> Reply.SILENCE);
        var stage = session().executeAsync(patientFor(Reply.SILENCE, READ)).toCompletableFuture();
        assertThat(stage.cancel(true)).isTrue();
        Thread.sleep(IMPATIENT.toMillis() + 200);
        assertThat(eu.asked()).hasSize(1);
    }

    @Test
    void theNumberOfCoordinatorsTriedIsBounded() {
        eu.behave(asked -> Reply.error(ErrorCode.OVERLOADED));
        MeteorShowerSession two = MeteorShowerSession.builder()
                .dataCentre(eu.cql)
                .coordinatorsToTry(2)
                .build();
        assertThatThrownBy(() -> two.execute(READ))
                .isInstanceOf(OverloadedException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1));
        assertThat(eu.asked()).hasSize(2);
    }

    @Test
    void aReadThatTimedOutAtTheReplicasIsNotRepeatedInTheSameDataCentre() {
        eu.behave(asked -> Reply.readTimeout());
        assertThatThrownBy(() -> session().execute(READ)).isInstanceOf(ReadTimeoutException.class);
        assertThat(eu.asked()).hasSize(1);
    }

    @Test
    void aStatementForACertainNodeIsSentThereOnly() {
        eu.behave(asked -> Reply.error(ErrorCode.OVERLOADED));
        var node = eu.cql.getMetadata().getNodes().values().iterator().next();
        assertThatThrownBy(() ->
                        session().execute(SimpleStatement.newInstance(READ).setNode(node)))
                .isInstanceOf(OverloadedException.class);
        assertThat(eu.asked()).hasSize(1);
    }

    @Test
    void aPreparedStatementIsPreparedAgainOnANodeThatDoesNotKnowIt() {
        eu.behave(asked -> Reply.row("a").atCut(9));
        var select = eu.cql.prepare("SELECT v FROM ks.t WHERE k = ?");
        eu.protocol.forgetPrepared();
        assertThat(session().execute(select.bind("1")).one().getString("v")).isEqualTo("a");
    }

    @Test
    void whenNoNodeIsThereTheWriteHasCertainlyFailed() {
        try (FakeDataCentre gone = new FakeDataCentre("gone", 1)) {
            gone.killAll();
            assertThatThrownBy(() -> MeteorShowerSession.over(gone.cql).execute(WRITE))
                    .isInstanceOf(NoNodeAvailableException.class);
        }
    }
}
