/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Numbers, without a server. */
class TransactionSessionsTest {

    private final List<CompletableFuture<String>> openings = new ArrayList<>();
    private final TransactionSessions sessions = new TransactionSessions(
            () -> {
                CompletableFuture<String> opening = new CompletableFuture<>();
                openings.add(opening);
                return opening;
            },
            2);

    private List<CompletableFuture<TransactionId>> take(int count) {
        List<CompletableFuture<TransactionId>> taken = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            taken.add(sessions.take());
        }
        return taken;
    }

    private static TransactionId id(String session, long number) {
        return new TransactionId(session, number);
    }

    @Test
    void noNumberIsGivenThatWouldPushOutAnOutcomeNotYetKnown() {
        List<CompletableFuture<TransactionId>> taken = take(16);
        openings.get(0).complete("a");
        assertThat(taken.get(15)).isCompletedWithValue(id("a", 16));
        for (int i = 1; i < 16; i++) {
            sessions.done(id("a", i + 1)); // all but the oldest
        }

        CompletableFuture<TransactionId> next = sessions.take();
        assertThat(next).isNotDone();
        sessions.done(id("a", 1));

        assertThat(next).isCompletedWithValue(id("a", 17));
    }

    @Test
    void anotherSessionIsOpenedWhereAllAreFullUpToTheMost() {
        List<CompletableFuture<TransactionId>> taken = take(40);
        openings.get(0).complete("a");
        openings.get(1).complete("b");

        assertThat(openings).hasSize(2);
        assertThat(taken.get(31)).isCompletedWithValue(id("b", 16));
        assertThat(taken.get(32)).isNotDone();
        sessions.done(id("b", 1));
        assertThat(taken.get(32)).isCompletedWithValue(id("b", 17));
    }

    @Test
    void aRetiredSessionGivesNoMoreNumbers() {
        List<CompletableFuture<TransactionId>> taken = take(1);
        openings.get(0).complete("a");
        assertThat(taken.get(0)).isCompletedWithValue(id("a", 1));
        sessions.retire("a");

        CompletableFuture<TransactionId> next = sessions.take();
        openings.get(1).complete("b");

        assertThat(next).isCompletedWithValue(id("b", 1));
    }

    @Test
    void whoWaitsInVainIsToldWhyAndTheNextTriesAgain() {
        List<CompletableFuture<TransactionId>> taken = take(2);
        openings.get(0).completeExceptionally(new IllegalStateException("nobody there"));
        assertThat(taken).allSatisfy(each -> assertThat(each).isCompletedExceptionally());

        CompletableFuture<TransactionId> next = sessions.take();
        openings.get(openings.size() - 1).complete("a");
        assertThat(next).isCompletedWithValue(id("a", 1));
    }
}
