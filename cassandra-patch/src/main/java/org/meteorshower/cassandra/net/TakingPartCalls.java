/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.apache.cassandra.schema.TableId;
import org.meteorshower.cassandra.store.CheckedBytes;
import org.meteorshower.cassandra.tables.PartElsewhere;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.TakingPart.Answer;
import org.meteorshower.protocol.TakingPart.Question;
import org.meteorshower.protocol.TakingPart.Word;
import org.meteorshower.runtime.Transport;

/**
 * Lets nodes ask each other how they are with tables that are about to take part in transactions, and answers such
 * calls. An earlier release answers none. Thread-safe.
 */
public final class TakingPartCalls implements PartElsewhere {
    /** Who answers. Thread-safe; does not block for long. */
    public interface Answering {
        /** @param closedMicros the closing that is asked about; of no meaning where none is */
        CompletableFuture<Answer> asked(Question question, TableId table, long closedMicros);
    }

    /** All other calls begin with other numbers. */
    private static final byte FORM = 6;

    private static final int HEAD = 1 + Integer.BYTES;
    private static final int REQUEST_BYTES = HEAD + 1 + 3 * Long.BYTES;
    private static final int ANSWER_HEAD = Integer.BYTES + 1 + Long.BYTES;
    private static final int LONGEST_REASON = 1_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private final Transport transport;
    private volatile Answering answering = (question, table, closedMicros) -> CompletableFuture.completedFuture(
            new Answer(Word.NOT_YET, 0, "does not follow the schema yet: it has just started"));

    public TakingPartCalls(Transport transport) {
        this.transport = transport;
    }

    /** From now on this one answers. */
    public void answerBy(Answering who) {
        answering = who;
    }

    @Override
    public CompletableFuture<Answer> ask(NodeId node, Question question, TableId table, long closedMicros) {
        return transport
                .call(node, request(question, table, closedMicros), TIMEOUT)
                .thenApply(TakingPartCalls::decode);
    }

    public static boolean isOne(byte[] request) {
        return request.length > 0 && request[0] == FORM;
    }

    /** The answer to such a call. Does not block for long. */
    public CompletableFuture<byte[]> called(byte[] request) {
        try {
            CheckedBytes.check(request, 1, "a question about a table's way into transactions");
            if (request.length != REQUEST_BYTES) {
                throw new IllegalArgumentException(
                        "a question about a table's way into transactions of " + request.length + " bytes");
            }
            ByteBuffer in = ByteBuffer.wrap(request, HEAD, REQUEST_BYTES - HEAD);
            Question question = question(in.get());
            TableId table = TableId.fromUUID(new UUID(in.getLong(), in.getLong()));
            return answering.asked(question, table, in.getLong()).thenApply(TakingPartCalls::encode);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    static byte[] request(Question question, TableId table, long closedMicros) {
        byte[] bytes = new byte[REQUEST_BYTES];
        ByteBuffer.wrap(bytes)
                .put(FORM)
                .putInt(0) // the checksum's place
                .put(number(question))
                .putLong(table.asUUID().getMostSignificantBits())
                .putLong(table.asUUID().getLeastSignificantBits())
                .putLong(closedMicros);
        return CheckedBytes.seal(bytes, 1);
    }

    static byte[] encode(Answer answer) {
        byte[] why = answer.why().getBytes(StandardCharsets.UTF_8);
        int length = Math.min(why.length, LONGEST_REASON);
        byte[] bytes = new byte[ANSWER_HEAD + length];
        ByteBuffer.wrap(bytes)
                .putInt(0) // the checksum's place
                .put(number(answer.word()))
                .putLong(answer.newestMicros())
                .put(why, 0, length);
        return CheckedBytes.seal(bytes, 0);
    }

    /** @throws IllegalArgumentException if it is no such answer */
    static Answer decode(byte[] answer) {
        CheckedBytes.check(answer, 0, "an answer about a table's way into transactions");
        if (answer.length < ANSWER_HEAD || answer.length > ANSWER_HEAD + LONGEST_REASON) {
            throw new IllegalArgumentException(
                    "an answer about a table's way into transactions of " + answer.length + " bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(answer, Integer.BYTES, answer.length - Integer.BYTES);
        Word word = word(in.get());
        long newestMicros = in.getLong();
        return new Answer(word, newestMicros, StandardCharsets.UTF_8.decode(in).toString());
    }

    private static byte number(Question question) {
        return switch (question) {
            case LOOK -> 0;
            case CLOSED -> 1;
            case HOLDS -> 2;
        };
    }

    private static byte number(Word word) {
        return switch (word) {
            case NOT_YET -> 0;
            case CLOSED -> 1;
            case NOTHING -> 2;
            case ALIKE -> 3;
            case APART -> 4;
        };
    }

    private static Question question(byte number) {
        return switch (number) {
            case 0 -> Question.LOOK;
            case 1 -> Question.CLOSED;
            case 2 -> Question.HOLDS;
            default -> throw unknown("question", number);
        };
    }

    private static Word word(byte number) {
        return switch (number) {
            case 0 -> Word.NOT_YET;
            case 1 -> Word.CLOSED;
            case 2 -> Word.NOTHING;
            case 3 -> Word.ALIKE;
            case 4 -> Word.APART;
            default -> throw unknown("answer", number);
        };
    }

    private static IllegalArgumentException unknown(String what, byte number) {
        return new IllegalArgumentException("the " + what + " with number " + number + " about a table's way into"
                + " transactions, which this release of the plugin does not know");
    }
}
