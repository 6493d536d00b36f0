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
import org.apache.cassandra.schema.TableId;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.store.CheckedBytes;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.TakingPart.Answer;
import org.meteorshower.protocol.TakingPart.Question;
import org.meteorshower.protocol.TakingPart.Word;

class TakingPartCallsTest {
    private static final TableId TABLE = TableId.fromUUID(new UUID(0x1000, -2));
    private static final NodeId OTHER = NodeId.of(2);

    private final TakingPartCalls calls = new TakingPartCalls(new ToItself(this::own));

    private CompletableFuture<byte[]> own(byte[] request) {
        return calls.called(request);
    }

    @Test
    void aQuestionAndItsAnswerComeThrough() throws Exception {
        for (Question question : Question.values()) {
            for (Word word : Word.values()) {
                Answer answer = new Answer(word, Long.MAX_VALUE, word == Word.NOT_YET ? "naïve" : "");
                calls.answerBy((asked, table, closed) -> CompletableFuture.completedFuture(
                        asked == question && table.equals(TABLE) && closed == 17
                                ? answer
                                : new Answer(Word.APART, 0, "another question")));
                assertThat(calls.ask(OTHER, question, TABLE, 17).get()).isEqualTo(answer);
            }
        }
    }

    @Test
    void whoHasJustStartedSaysSo() throws Exception {
        Answer answer = calls.ask(OTHER, Question.HOLDS, TABLE, 17).get();
        assertThat(answer.word()).isEqualTo(Word.NOT_YET);
        assertThat(answer.why()).contains("just started");
    }

    @Test
    void whatIsDamagedIsRefused() {
        byte[] request = TakingPartCalls.request(Question.CLOSED, TABLE, 17);
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 500; i++) {
            byte[] damaged = Arrays.copyOf(request, i % 3 == 0 ? random.nextInt(1, request.length) : request.length);
            damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            if (TakingPartCalls.isOne(damaged)) {
                assertThatThrownBy(() -> calls.called(damaged).get())
                        .isInstanceOf(ExecutionException.class)
                        .hasCauseInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void whatALaterReleaseSaysIsNotGuessedAt() {
        byte[] answer = TakingPartCalls.encode(new Answer(Word.ALIKE, 0, ""));
        ByteBuffer.wrap(answer).put(Integer.BYTES, (byte) 100);
        CheckedBytes.seal(answer, 0);
        assertThatThrownBy(() -> TakingPartCalls.decode(answer)).hasMessageContaining("does not know");
    }

    @Test
    void longReasonsAreCut() {
        Answer decoded = TakingPartCalls.decode(TakingPartCalls.encode(new Answer(Word.NOT_YET, 0, "x".repeat(5_000))));
        assertThat(decoded.why()).hasSize(1_000);
    }
}
