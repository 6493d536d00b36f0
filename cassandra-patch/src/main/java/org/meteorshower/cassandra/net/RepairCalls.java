/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.net;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.meteorshower.cassandra.store.CheckedBytes;
import org.meteorshower.cassandra.tables.RepairsElsewhere;
import org.meteorshower.protocol.NodeId;
import org.meteorshower.protocol.SharedRepairs.Answer;
import org.meteorshower.protocol.SharedRepairs.Question;
import org.meteorshower.protocol.SharedRepairs.Word;
import org.meteorshower.runtime.Transport;

/**
 * Lets nodes that share the repair of a table ask each other how far it is, and answers such calls. An earlier release
 * answers none. Thread-safe.
 */
public final class RepairCalls implements RepairsElsewhere {
    /** Who answers. Thread-safe; does not block for long. */
    public interface Answering {
        Answer asked(NodeId from, UUID name, Question question);
    }

    /** Forwarded reads, what was missed, and transactions' calls begin with other numbers. */
    private static final byte FORM = 3;

    private static final int HEAD = 1 + Integer.BYTES;
    private static final int REQUEST_BYTES = HEAD + 4 * Long.BYTES;
    private static final int ANSWER_BYTES = Integer.BYTES + 1 + 2 * Integer.BYTES;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final Transport transport;
    private volatile Answering answering = (from, name, question) -> Answer.NO;

    public RepairCalls(Transport transport) {
        this.transport = transport;
    }

    /** From now on this one answers; before that it is no. */
    public void answerBy(Answering who) {
        answering = who;
    }

    @Override
    public CompletableFuture<Answer> ask(NodeId owner, UUID name, Question question) {
        return transport.call(owner, request(name, question), TIMEOUT).thenApply(RepairCalls::decode);
    }

    public static boolean isOne(byte[] request) {
        return request.length > 0 && request[0] == FORM;
    }

    /** The answer to such a call. Does not block for long. */
    public CompletableFuture<byte[]> called(NodeId from, byte[] request) {
        try {
            CheckedBytes.check(request, 1, "a question about a shared repair");
            if (request.length != REQUEST_BYTES) {
                throw new IllegalArgumentException("a question about a shared repair of " + request.length + " bytes");
            }
            ByteBuffer in = ByteBuffer.wrap(request, HEAD, REQUEST_BYTES - HEAD);
            UUID name = new UUID(in.getLong(), in.getLong());
            Question question = new Question(in.getLong(), in.getLong());
            return CompletableFuture.completedFuture(encode(answering.asked(from, name, question)));
        } catch (IllegalArgumentException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    static byte[] request(UUID name, Question question) {
        byte[] bytes = new byte[REQUEST_BYTES];
        ByteBuffer.wrap(bytes)
                .put(FORM)
                .putInt(0) // the checksum's place
                .putLong(name.getMostSignificantBits())
                .putLong(name.getLeastSignificantBits())
                .putLong(question.attempt())
                .putLong(question.ranges());
        return CheckedBytes.seal(bytes, 1);
    }

    static byte[] encode(Answer answer) {
        byte[] bytes = new byte[ANSWER_BYTES];
        ByteBuffer.wrap(bytes)
                .putInt(0) // the checksum's place
                .put(
                        switch (answer.word()) {
                            case NO -> (byte) 0;
                            case NOT_YET -> (byte) 1;
                            case DONE -> (byte) 2;
                        })
                .putInt(answer.done())
                .putInt(answer.all());
        return CheckedBytes.seal(bytes, 0);
    }

    /** @throws IllegalArgumentException if it is no such answer */
    static Answer decode(byte[] answer) {
        CheckedBytes.check(answer, 0, "an answer about a shared repair");
        if (answer.length != ANSWER_BYTES) {
            throw new IllegalArgumentException("an answer about a shared repair of " + answer.length + " bytes");
        }
        ByteBuffer in = ByteBuffer.wrap(answer, Integer.BYTES, ANSWER_BYTES - Integer.BYTES);
        byte said = in.get();
        Word word =
                switch (said) {
                    case 0 -> Word.NO;
                    case 1 -> Word.NOT_YET;
                    case 2 -> Word.DONE;
                    default ->
                        throw new IllegalArgumentException("an answer about a shared repair that says " + said
                                + ", which this release of the plugin does not know");
                };
        int done = in.getInt();
        int all = in.getInt();
        if (done < 0 || done > all) {
            throw new IllegalArgumentException(
                    "an answer about a shared repair with " + done + " of " + all + " pieces done");
        }
        return new Answer(word, done, all);
    }
}
