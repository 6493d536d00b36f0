/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The token's way through a session, one node, no faults. */
class MeteorShowerSessionTest {

    private static final String READ = "SELECT v FROM ks.t WHERE k = 1";
    private static final String WRITE = "INSERT INTO ks.t (k, v) VALUES (1, 'a')";

    private static FakeDataCentre eu;
    private MeteorShowerSession session;

    @BeforeAll
    static void start() {
        eu = new FakeDataCentre("eu", 1);
    }

    @AfterAll
    static void stop() {
        eu.close();
    }

    @BeforeEach
    void open() {
        eu.asked().clear();
        eu.behave(asked -> Reply.row("a"));
        session = MeteorShowerSession.over(eu.cql);
    }

    private static Asked last() {
        return eu.asked().get(eu.asked().size() - 1);
    }

    @Test
    void aNewSessionSendsAnEmptyTokenSoThatTheCoordinatorsOwnIsNotUsed() {
        session.execute(READ);
        assertThat(last().payload()).containsKey(PayloadKeys.TOKEN);
        assertThat(last().token()).isEqualTo(SessionToken.EMPTY);
    }

    @Test
    void eachStatementCarriesWhatTheOnesBeforeItSaw() {
        eu.behave(asked -> Reply.done().atCut(70));
        session.execute(WRITE);
        session.execute(READ);
        assertThat(last().token()).isEqualTo(Tokens.at(70));
    }

    @Test
    void anAnswerWithoutATokenLeavesTheSessionsOwn() {
        session.observe(Tokens.at(5));
        session.execute(READ);
        assertThat(session.token()).isEqualTo(Tokens.at(5));
    }

    @Test
    void aTokenHandedToAnotherSessionTravelsWithItsNextStatement() {
        session.observe(Tokens.at(40));
        MeteorShowerSession other = session.newSession();
        assertThat(other.token()).isEqualTo(SessionToken.EMPTY);
        other.observe(session.token());
        other.execute(READ);
        assertThat(last().token()).isEqualTo(Tokens.at(40));
    }

    @Test
    void observingAnOlderTokenDoesNotTakeTheSessionBack() {
        session.observe(Tokens.at(40));
        session.observe(Tokens.at(39));
        session.observe(SessionToken.EMPTY);
        assertThat(session.token()).isEqualTo(Tokens.at(40));
    }

    @Test
    void aReadTellsHowItWasServedAtWhichCutAndHowStale() {
        eu.behave(asked -> Reply.row("a")
                .with(PayloadKeys.SERVED, "older")
                .with(PayloadKeys.CUT, 1_000_000)
                .with(PayloadKeys.STALENESS, 2_500));
        ReadInfo info = ReadInfo.of(session.execute(READ).getExecutionInfo()).orElseThrow();
        assertThat(info).isEqualTo(new ReadInfo(Served.OLDER, 1_000_000, 2_500));
        assertThat(info.staleness()).isEqualTo(Duration.ofNanos(2_500_000));
        assertThat(info.forwarded()).isFalse();
    }

    @Test
    void aReadTellsThatAnotherNodeServedIt() {
        eu.behave(asked -> Reply.row("a")
                .with(PayloadKeys.SERVED, "local")
                .with(PayloadKeys.CUT, 1_000_000)
                .with(PayloadKeys.STALENESS, 0)
                .with(PayloadKeys.FORWARDED, 1));
        ReadInfo info = ReadInfo.of(session.execute(READ).getExecutionInfo()).orElseThrow();
        assertThat(info).isEqualTo(new ReadInfo(Served.LOCAL, 1_000_000, 0, true));
    }

    @Test
    void aWriteTellsItsTimestamp() {
        eu.behave(asked -> Reply.done().with(PayloadKeys.TIMESTAMP, 77));
        assertThat(WriteInfo.of(session.execute(WRITE).getExecutionInfo())).contains(new WriteInfo(77));
    }

    @Test
    void whatMeteorShowerDidNotServeTellsNothing() {
        assertThat(ReadInfo.of(session.execute(READ).getExecutionInfo())).isEmpty();
        assertThat(WriteInfo.of(session.execute(WRITE).getExecutionInfo())).isEmpty();
    }

    @Test
    void statementsThatNameNoConsistencyLevelRunAtQuorum() {
        session.execute(READ);
        assertThat(last().consistency()).isEqualTo(ProtocolConstants.ConsistencyLevel.QUORUM);
        session.execute(SimpleStatement.newInstance(READ).setConsistencyLevel(ConsistencyLevel.LOCAL_ONE));
        assertThat(last().consistency()).isEqualTo(ProtocolConstants.ConsistencyLevel.LOCAL_ONE);
    }

    @Test
    void aPayloadOfTheApplicationsOwnTravelsAlong() {
        ByteBuffer own = ByteBuffer.wrap(new byte[] {1, 2});
        session.observe(Tokens.at(3));
        session.execute(SimpleStatement.newInstance(READ)
                .setCustomPayload(Map.of("app.trace", own, PayloadKeys.TOKEN, Tokens.bytesAt(1))));
        assertThat(last().payload()).containsEntry("app.trace", own);
        assertThat(last().token()).isEqualTo(Tokens.at(3));
    }

    @Test
    void preparedAndBatchedStatementsCarryTheTokenToo() {
        session.observe(Tokens.at(3));
        var insert = eu.cql.prepare("INSERT INTO ks.t (k, v) VALUES (?, ?)");
        session.execute(insert.bind("1", "a"));
        assertThat(last().token()).isEqualTo(Tokens.at(3));
        session.execute(BatchStatement.newInstance(BatchType.LOGGED, insert.bind("1", "a"), insert.bind("2", "b")));
        assertThat(last().query()).isEqualTo("BATCH");
        assertThat(last().token()).isEqualTo(Tokens.at(3));
    }

    @Test
    void anUnreadableTokenFromTheServerFailsTheReadAndLeavesTheSession() {
        session.observe(Tokens.at(3));
        eu.behave(asked -> Reply.row("a").with(PayloadKeys.TOKEN, ByteBuffer.wrap(new byte[] {9, 9})));
        assertThatThrownBy(() -> session.execute(READ))
                .isInstanceOf(MalformedPayloadException.class)
                .hasMessageContaining("version 9");
        assertThat(session.token()).isEqualTo(Tokens.at(3));
    }

    @Test
    void anUnreadableTokenAfterAWriteIsAnUnknownOutcomeSinceItsPlaceInTheOrderIsLost() {
        eu.behave(asked -> Reply.done().with(PayloadKeys.TOKEN, ByteBuffer.wrap(new byte[26])));
        assertThatThrownBy(() -> session.execute(WRITE))
                .isInstanceOf(UnknownOutcomeException.class)
                .hasRootCauseInstanceOf(MalformedPayloadException.class);
        assertThat(session.token()).isEqualTo(SessionToken.EMPTY);
    }

    @Test
    void anAnswerFromBeforeTheSessionsTokenIsRefused() {
        session.observe(Tokens.at(10));
        eu.behave(asked -> Reply.row("a").atCut(9));
        assertThatThrownBy(() -> session.execute(READ))
                .isInstanceOf(MalformedPayloadException.class)
                .hasMessageContaining("broke the session's order");
        assertThat(session.token()).isEqualTo(Tokens.at(10));
    }

    @Test
    void aSessionThatRequiresItRefusesAnswersFromCassandrasOwnPath() {
        MeteorShowerSession strict = MeteorShowerSession.builder()
                .dataCentre(eu.cql)
                .requireServed(true)
                .build();
        assertThatThrownBy(() -> strict.execute(READ)).isInstanceOf(NotServedException.class);
        assertThatThrownBy(() -> strict.execute(WRITE))
                .isInstanceOf(UnknownOutcomeException.class)
                .hasRootCauseInstanceOf(NotServedException.class);
        eu.behave(asked -> Reply.row("a").atCut(1));
        assertThat(strict.execute(READ).one().getString("v")).isEqualTo("a");
    }

    /**
     * The table was disabled: what is read as of an ordinary one must be seen when it is enabled again, or elsewhere
     * still is.
     */
    @Test
    void anAnswerFromCassandrasOwnPathMayRaiseTheToken() {
        eu.behave(asked ->
                Reply.row("a").with(PayloadKeys.TOKEN, Tokens.at(30).bytes()).with(PayloadKeys.PLAIN, "1"));
        assertThat(session.execute(READ).one().getString("v")).isEqualTo("a");
        assertThat(session.token()).isEqualTo(Tokens.at(30));

        MeteorShowerSession strict = MeteorShowerSession.builder()
                .dataCentre(eu.cql)
                .requireServed(true)
                .build();
        assertThatThrownBy(() -> strict.execute(READ)).isInstanceOf(NotServedException.class);
        assertThat(strict.token()).isEqualTo(Tokens.at(30));
    }

    @Test
    void aTableWhoseReplicasAreBeingBroughtTogetherIsServed() {
        MeteorShowerSession strict = MeteorShowerSession.builder()
                .dataCentre(eu.cql)
                .requireServed(true)
                .build();
        byte[] forAWhile = {PayloadKeys.FOR_A_WHILE};
        eu.behave(asked -> Reply.row("a")
                .with(PayloadKeys.TOKEN, Tokens.at(30).bytes())
                .with(PayloadKeys.PLAIN, ByteBuffer.wrap(forAWhile)));
        assertThat(strict.execute(READ).one().getString("v")).isEqualTo("a");
        assertThat(strict.token()).isEqualTo(Tokens.at(30));
    }

    @Test
    void pagesCarryTheSessionsNewestTokenAndMergeTheirs() {
        eu.behave(asked -> asked.pagingState() == null
                ? Reply.rows(List.of("a", "b"), "next").atCut(10)
                : Reply.rows(List.of("c"), null).atCut(20));
        var rows = session.execute(SimpleStatement.newInstance(READ).setPageSize(2), ReadMode.STRICT);
        session.observe(Tokens.at(15)); // the session goes on between the pages
        assertThat(rows.all().stream().map(row -> row.getString("v"))).containsExactly("a", "b", "c");
        assertThat(eu.asked().stream().map(Asked::token)).containsExactly(SessionToken.EMPTY, Tokens.at(15));
        assertThat(eu.asked().stream().map(Asked::mode)).containsExactly("strict", "strict");
        assertThat(session.token()).isEqualTo(Tokens.at(20));
        assertThat(rows.getExecutionInfos()).hasSize(2);
    }

    @Test
    void asynchronousPagesCarryTheNewestTokenToo() throws Exception {
        eu.behave(
                asked -> Reply.rows(List.of("a"), "next").atCut(10 + eu.asked().size()));
        var first = session.executeAsync(READ).toCompletableFuture().get();
        var second = first.fetchNextPage().toCompletableFuture().get();
        var third = second.fetchNextPage().toCompletableFuture().get();
        assertThat(third.hasMorePages()).isTrue();
        assertThat(eu.asked().stream().map(Asked::token))
                .containsExactly(SessionToken.EMPTY, Tokens.at(11), Tokens.at(12));
    }

    @Test
    void emptyPagesInBetweenAreSkipped() {
        eu.behave(asked -> asked.pagingState() == null
                ? Reply.rows(List.of(), "next").atCut(10)
                : Reply.rows(List.of("c"), null).atCut(20));
        assertThat(session.execute(READ).one().getString("v")).isEqualTo("c");
    }

    @Test
    void statementsAtTheSameTimeLeaveTheLargestToken() throws Exception {
        AtomicLong largest = new AtomicLong();
        eu.behave(asked -> {
            long below = asked.token().isEmpty()
                    ? 0
                    : asked.payload().get(PayloadKeys.TOKEN).getLong(1);
            long cut = below + ThreadLocalRandom.current().nextLong(1, 1_000);
            largest.accumulateAndGet(cut, Math::max);
            return Reply.row("a").atCut(cut);
        });
        List<CompletionStage<?>> all = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            all.add(session.executeAsync(READ));
        }
        CompletableFuture.allOf(
                        all.stream().map(CompletionStage::toCompletableFuture).toArray(CompletableFuture[]::new))
                .get();
        assertThat(session.token()).isEqualTo(Tokens.at(largest.get()));
    }

    @Test
    void waitingOnADriverThreadIsRefusedBeforeAnythingIsSent() {
        eu.behave(asked -> {
            LockSupport.parkNanos(50_000_000); // so that the callback runs on the driver's thread, not on ours
            return Reply.row("a");
        });
        CompletableFuture<?> nested = session.executeAsync(READ)
                .thenAccept(page -> session.execute(WRITE))
                .toCompletableFuture();
        assertThat(nested)
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableOfType(ExecutionException.class)
                .withRootCauseInstanceOf(IllegalStateException.class);
        assertThat(eu.asked()).hasSize(1);
    }

    @Test
    void aModeNextToAQueryIsNoValueOfIt() {
        session.execute(READ, ReadMode.METEORSHOWER1);
        assertThat(last().mode()).isEqualTo("meteorshower1");
        session.executeAsync(READ, ReadMode.STRICT).toCompletableFuture().join();
        assertThat(last().mode()).isEqualTo("strict");
    }

    @Test
    void aClosedSessionRefusesStatementsAndLeavesTheDriversOpen() {
        session.close();
        assertThatThrownBy(() -> session.execute(READ)).isInstanceOf(IllegalStateException.class);
        assertThat(eu.cql.isClosed()).isFalse();
    }

    @Test
    void aRefusedTokenIsToldAsTheCoordinatorTellsIt() {
        eu.behave(asked -> Reply.error(ProtocolConstants.ErrorCode.INVALID));
        assertThatThrownBy(() -> session.execute(WRITE)).isInstanceOf(InvalidQueryException.class);
        assertThat(eu.asked()).hasSize(1);
    }

    @Test
    void movingToADataCentreThatIsNotThereNamesThoseThatAre() {
        assertThat(session.dataCentre()).isEqualTo("eu");
        assertThatThrownBy(() -> session.moveTo("mars"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("[eu]");
    }
}
