/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.util.concurrent.CompletableFuture;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.Verb;
import org.apache.cassandra.utils.MonotonicClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.meteorshower.protocol.NodeId;

/** Which of Cassandra's answers leave, and which are left to the protocol. */
class CarriedAnswersTest {
    private static final NodeId COORDINATOR = NodeId.of(1);
    private static final InetAddressAndPort ADDRESS = at(7000);
    private static final InetAddressAndPort OTHER = at(7001);
    private static final long SECOND = 1_000_000_000L;

    private final CarriedAnswers answers = new CarriedAnswers(7, COORDINATOR::equals);

    @BeforeAll
    static void configure() {
        DatabaseDescriptor.clientInitialization(false);
    }

    private static InetAddressAndPort at(int port) {
        return InetAddressAndPort.getByAddressOverrideDefaults(InetAddress.getLoopbackAddress(), port);
    }

    @AfterEach
    void forget() {
        answers.forget();
    }

    private static Coordinators.Waiting waiting(NodeId coordinator, long request, long expiresInNanos) {
        return new Coordinators.Waiting(
                coordinator, ADDRESS, request, MonotonicClock.Global.approxTime.now() + expiresInNanos);
    }

    private boolean leaves(Verb verb, long request, InetAddressAndPort to) {
        return answers.test(
                Message.builder(verb, NoPayload.noPayload)
                        .from(OTHER)
                        .withId(request)
                        .withCreatedAt(1)
                        .withExpiresAt(2)
                        .build(),
                to);
    }

    @Test
    void anAnswerThatIsHandedOverStaysHereAndItAlone() {
        assertThat(answers.handOver(waiting(COORDINATOR, 17, SECOND))).isEqualTo(17);

        assertThat(leaves(Verb.MUTATION_RSP, 18, ADDRESS)).isTrue();
        assertThat(leaves(Verb.MUTATION_RSP, 17, OTHER)).isTrue();
        assertThat(leaves(Verb.READ_REPAIR_RSP, 17, ADDRESS)).isTrue();
        assertThat(leaves(Verb.MUTATION_RSP, 17, ADDRESS)).isFalse();
        assertThat(leaves(Verb.MUTATION_RSP, 17, ADDRESS)).isTrue();
    }

    @Test
    void onAnotherThreadItLeavesAndIsGivenTwice() {
        answers.handOver(waiting(COORDINATOR, 17, SECOND));

        assertThat(CompletableFuture.supplyAsync(() -> leaves(Verb.MUTATION_RSP, 17, ADDRESS))
                        .join())
                .isTrue();
    }

    @Test
    void whatTheNextMutationFindsIsForgotten() {
        answers.handOver(waiting(COORDINATOR, 17, SECOND));
        answers.forget();

        assertThat(leaves(Verb.MUTATION_RSP, 17, ADDRESS)).isTrue();
    }

    @Test
    void oneThatIsPartOfATraceOrOfWhichNothingIsCarriedOrThatNobodyAwaitsIsCassandras() {
        assertThat(answers.handOver(waiting(COORDINATOR, 0, SECOND))).isZero();
        assertThat(answers.handOver(waiting(NodeId.of(2), 17, SECOND))).isZero();
        assertThat(answers.handOver(waiting(COORDINATOR, 17, -SECOND))).isZero();

        assertThat(leaves(Verb.MUTATION_RSP, 17, ADDRESS)).isTrue();
    }
}
