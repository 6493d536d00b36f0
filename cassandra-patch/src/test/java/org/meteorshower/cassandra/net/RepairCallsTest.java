/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.store.CheckedBytes;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.SharedRepairs.Answer;
import org.meteorshower.protocol.SharedRepairs.Question;
import org.meteorshower.protocol.SharedRepairs.Word;

class RepairCallsTest {
    private static final UUID NAME = new UUID(1, -2);
    private static final Question QUESTION = new Question(Long.MIN_VALUE, 42);
    private static final NodeId SELF = NodeId.of(1);

    private final RepairCalls calls = new RepairCalls(new ToItself(this::own));

    private CompletableFuture<byte[]> own(byte[] request) {
        return calls.called(SELF, request);
    }

    @Test
    void aQuestionAndItsAnswerComeThrough() throws Exception {
        for (Word word : Word.values()) {
            Answer answer = new Answer(word, 3, 512);
            calls.answerBy((from, name, question) ->
                    from.equals(SELF) && name.equals(NAME) && question.equals(QUESTION) ? answer : Answer.LATER);
            assertThat(calls.ask(NodeId.of(2), NAME, QUESTION).get()).isEqualTo(answer);
        }
    }

    @Test
    void whoDoesNotKnowYetSaysNo() throws Exception {
        assertThat(calls.ask(NodeId.of(2), NAME, QUESTION).get()).isEqualTo(Answer.NO);
    }

    @Test
    void itIsToldFromOtherCalls() {
        assertThat(RepairCalls.isOne(RepairCalls.request(NAME, QUESTION))).isTrue();
        assertThat(MissedCalls.isOne(RepairCalls.request(NAME, QUESTION))).isFalse();
        assertThat(RepairCalls.isOne(MissedCalls.request(NAME))).isFalse();
        assertThat(RepairCalls.isOne(new byte[0])).isFalse();
    }

    @Test
    void damagedAnswersAreRefused() {
        SplittableRandom random = new SplittableRandom(11);
        byte[] whole = RepairCalls.encode(new Answer(Word.DONE, 7, 9));
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = damaged(whole, random, 0);
            assertThatThrownBy(() -> RepairCalls.decode(damaged)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> RepairCalls.decode(new byte[0])).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void damagedQuestionsAreRefused() {
        SplittableRandom random = new SplittableRandom(12);
        calls.answerBy((from, name, question) -> {
            throw new AssertionError("a damaged question came through");
        });
        byte[] whole = RepairCalls.request(NAME, QUESTION);
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = damaged(whole, random, 1);
            assertThatThrownBy(() -> calls.called(SELF, damaged).get())
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(IllegalArgumentException.class);
        }
    }

    private static byte[] damaged(byte[] whole, SplittableRandom random, int from) {
        if (random.nextInt(4) == 0) {
            return Arrays.copyOf(whole, from + random.nextInt(whole.length - from));
        }
        byte[] damaged = whole.clone();
        damaged[from + random.nextInt(whole.length - from)] ^= (byte) (1 + random.nextInt(255));
        return damaged;
    }

    @Test
    void whatIsWholeAndMakesNoSenseIsRefusedAndTheErrorSaysWhy() {
        assertThatThrownBy(() -> RepairCalls.decode(answer((byte) 3, 0, 0)))
                .hasMessageContaining("says 3, which this release of the plugin does not know");
        assertThatThrownBy(() -> RepairCalls.decode(answer((byte) 1, 3, 2))).hasMessageContaining("3 of 2 pieces");
        assertThatThrownBy(() -> RepairCalls.decode(answer((byte) 1, -1, 2))).hasMessageContaining("-1 of 2 pieces");
        assertThatThrownBy(() -> RepairCalls.decode(CheckedBytes.seal(new byte[14], 0)))
                .hasMessageContaining("of 14 bytes");
        byte[] longer = CheckedBytes.seal(Arrays.copyOf(RepairCalls.request(NAME, QUESTION), 38), 1);
        assertThatThrownBy(() -> calls.called(SELF, longer).get()).hasMessageContaining("of 38 bytes");
    }

    private static byte[] answer(byte word, int done, int all) {
        byte[] bytes = new byte[13];
        ByteBuffer.wrap(bytes, 4, 9).put(word).putInt(done).putInt(all);
        return CheckedBytes.seal(bytes, 0);
    }
}
