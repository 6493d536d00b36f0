/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnavailableException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which sessions a text takes, without a server. */
class TransactionPoolsTest {

    private static final String ASKED =
            "MeteorShower: the transaction was not carried out (OTHER_SESSION): OPEN TRANSACTION" + " SESSION OF ";

    private final List<String> opened = new ArrayList<>();
    private final TransactionPools pools = new TransactionPools(
            group -> {
                opened.add(group);
                return CompletableFuture.completedFuture("s" + opened.size());
            },
            1,
            TransactionPools.WHOLE);

    private static InvalidQueryException refused(String message) {
        return new InvalidQueryException(null, message);
    }

    @Test
    void aTextTakesTheWholeGroupsSessionsUntilAnotherGroupIsLearned() {
        TransactionSessions whole = pools.of("a");
        assertThat(pools.of("b")).isSameAs(whole);

        TransactionSessions some = pools.learn("a", "eu,us").orElseThrow();

        assertThat(pools.of("a")).isSameAs(some).isNotSameAs(whole);
        assertThat(pools.of("b")).isSameAs(whole);
        assertThat(pools.learn("b", "eu,us")).containsSame(some);
        assertThat(pools.forget("a")).isSameAs(whole);
        assertThat(pools.of("a")).isSameAs(whole);
    }

    @Test
    void aClientMayNameTheGroupThatMostOfItsTextsAreOf() {
        TransactionPools european = new TransactionPools(
                group -> {
                    opened.add(group);
                    return CompletableFuture.completedFuture("e");
                },
                1,
                "eu,us");
        assertThat(european.of("a").take()).isCompletedWithValue(new TransactionId("e", 1));
        assertThat(opened).containsExactly("eu,us");
        assertThat(european.learn("a", "eu,us")).containsSame(european.of("b"));
        assertThat(european.learn("a", "eu,us,asia").orElseThrow()).isNotSameAs(european.of("b"));
    }

    @Test
    void namesThatCannotBeAreRefused() {
        for (String name : List.of("", ",", "eu,", "eu,,us", "e'u", "eu\n", "x".repeat(101))) {
            assertThat(TransactionPools.isName(name)).as(name).isFalse();
        }
        assertThat(TransactionPools.isName("eu-west 1,us")).isTrue();
    }

    @Test
    void sessionsAreOpenedForEachGroupByItselfWhenTheyAreNeeded() {
        assertThat(pools.learn("a", "eu,us")).isPresent();
        assertThat(opened).isEmpty();

        assertThat(pools.of("a").take()).isCompletedWithValue(new TransactionId("s1", 1));
        assertThat(pools.of("b").take()).isCompletedWithValue(new TransactionId("s2", 1));
        assertThat(pools.of("a").take()).isCompletedWithValue(new TransactionId("s1", 2));

        assertThat(opened).containsExactly("eu,us", "");
    }

    @Test
    void thereAreOnlySoManyGroups() {
        for (int i = 1; i < TransactionPools.MOST_POOLS; i++) {
            assertThat(pools.learn("text " + i, "dc" + i)).isPresent();
        }
        assertThat(pools.learn("a", "one more")).isEmpty();
        assertThat(pools.of("a")).isSameAs(pools.of("unknown"));
        assertThat(pools.learn("a", "dc1")).containsSame(pools.of("text 1"));
    }

    @Test
    void theTextThatWasUsedLongestAgoIsForgottenFirst() {
        TransactionSessions some = pools.learn("first", "eu").orElseThrow();
        for (int i = 1; i < 1_000; i++) {
            assertThat(pools.learn("text " + i, "eu")).containsSame(some);
        }
        assertThat(pools.of("first")).isSameAs(some);
        assertThat(pools.learn("one more", "eu")).containsSame(some);

        assertThat(pools.of("first")).isSameAs(some);
        assertThat(pools.of("one more")).isSameAs(some);
        assertThat(pools.of("text 1")).isNotSameAs(some);
        assertThat(pools.of("text 2")).isSameAs(some);
    }

    @Test
    void theGroupIsReadFromTheRefusal() {
        assertThat(TransactionFailures.groupAskedFor(refused(ASKED + "'eu,us' gives one")))
                .contains("eu,us");
        assertThat(TransactionFailures.groupAskedFor(refused(ASKED + "'DC 1'"))).contains("DC 1");
        assertThat(TransactionFailures.groupAskedFor(refused(ASKED + "'eu''; DROP TABLE t'")))
                .as("never an apostrophe, which would end the literal")
                .contains("eu");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "eu", "''", "'eu", "'eu,'", "',eu'", "'eu,,us'", "'eu\nus'", "\"eu\"", "eu'"})
    void whatCannotBeAGroupIsNeverAskedFor(String named) {
        assertThat(TransactionFailures.groupAskedFor(refused(ASKED + named))).isEmpty();
    }

    @Test
    void namesHaveABound() {
        String longest = "x".repeat(100);
        String most = String.join(",", Collections.nCopies(31, longest));
        assertThat(TransactionFailures.groupAskedFor(refused(ASKED + "'" + most + "'")))
                .contains(most);
        assertThat(TransactionFailures.groupAskedFor(refused(ASKED + "'" + most + ",x'")))
                .isEmpty();
        assertThat(TransactionFailures.groupAskedFor(refused(ASKED + "'" + longest + "x'")))
                .isEmpty();
    }

    @Test
    void otherFailuresAskForNoGroup() {
        assertThat(TransactionFailures.groupAskedFor(new IllegalStateException(ASKED + "'eu'")))
                .isEmpty();
        assertThat(TransactionFailures.groupAskedFor(
                        new UnavailableException(null, DefaultConsistencyLevel.QUORUM, 2, 1)))
                .isEmpty();
        String quoting = "MeteorShower: the transaction was not carried out (ERROR): no number: '" + ASKED + "'eu'";
        assertThat(TransactionFailures.groupAskedFor(refused(quoting)))
                .as("it is recorded under its number")
                .isEmpty();
    }
}
