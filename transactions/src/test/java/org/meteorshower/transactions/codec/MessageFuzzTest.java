/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;
import org.meteorshower.transactions.language.Bytes;
import org.meteorshower.transactions.language.Expression;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.Statement;
import org.meteorshower.transactions.language.Transaction;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Body;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Front;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.port.AcceptedEntry;
import org.meteorshower.transactions.port.AcceptorState;
import org.meteorshower.transactions.port.Answer;
import org.meteorshower.transactions.port.Checkpoint;
import org.meteorshower.transactions.port.Members;
import org.meteorshower.transactions.port.Message;
import org.meteorshower.transactions.port.StoredRow;

/** Messages and answers are read as they were written, or refused. */
class MessageFuzzTest {
    private static final MessageCodec CODEC = new MessageCodec(new Members(1, 3));

    private static final class Messages implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            Message message = message(random);
            return new Sample(CODEC.encode(message), message);
        }

        @Override
        public Object decode(byte[] input) throws BadDataException {
            return CODEC.decode(input);
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof BadDataException;
        }
    }

    private static final class Answers implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            Answer answer = answer(random);
            return new Sample(AnswerCodec.encode(answer), answer);
        }

        @Override
        public Object decode(byte[] input) throws BadDataException {
            return AnswerCodec.decode(input);
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof BadDataException;
        }
    }

    private static final class Checkpoints implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            Checkpoint checkpoint = checkpoint(random);
            return new Sample(StoreCodec.bytes(checkpoint), checkpoint);
        }

        @Override
        public Object decode(byte[] input) throws BadDataException {
            return StoreCodec.checkpoint(input);
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof BadDataException;
        }
    }

    @Test
    void damagedMessagesAreRefused() {
        assertThat(Fuzz.run("transactions' messages", new Messages(), 20_000).refused())
                .isPositive();
    }

    @Test
    void damagedAnswersAreRefused() {
        assertThat(Fuzz.run("transactions' answers", new Answers(), 20_000).refused())
                .isPositive();
    }

    @Test
    void damagedCheckpointsAreRefused() {
        assertThat(Fuzz.run("transactions' checkpoints", new Checkpoints(), 20_000)
                        .refused())
                .isPositive();
    }

    @Test
    void everyKindOfMessageComesBackAsItWas() throws BadDataException {
        SplittableRandom random = new SplittableRandom(7);
        Map<Message.Kind, Integer> seen = new EnumMap<>(Message.Kind.class);
        for (int i = 0; i < 1_000; i++) {
            Message message = message(random);
            assertThat(CODEC.decode(CODEC.encode(message))).isEqualTo(message);
            seen.merge(message.kind(), 1, Integer::sum);
        }
        assertThat(seen).containsOnlyKeys(Message.Kind.values());
    }

    @Test
    void whoSpeaksOfAnotherNumberOfDataCentresIsRefused() {
        byte[] ofFive =
                new MessageCodec(new Members(1, 5)).encode(new Message.Accepted(0, 1, 2, List.of(1, 1, 1, 1, 1)));

        assertThatThrownBy(() -> CODEC.decode(ofFive)).hasMessageContaining("5 data centres");
    }

    private static Message message(SplittableRandom random) {
        int lane = random.nextInt(3);
        long ballot = random.nextLong(1L << 40);
        long position = random.nextLong(1_000);
        return switch (random.nextInt(17)) {
            case 0 -> new Message.Prepare(lane, ballot, position);
            case 1 -> new Message.Promised(lane, ballot, generations(random), acceptor(random));
            case 2 -> new Message.Outbid(lane, ballot);
            case 3 -> new Message.Propose(lane, ballot, position, entry(random), random.nextLong(1_000));
            case 4 -> new Message.Accepted(lane, ballot, position, generations(random));
            case 5 ->
                new Message.Progress(
                        new Message.ClockReading(
                                random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong()),
                        naturals(random),
                        naturals(random),
                        position,
                        position / 2,
                        random.nextLong(),
                        random.nextBoolean() ? null : new Message.Margin(position, random.nextLong()),
                        random.nextBoolean());
            case 6 -> new Message.Fetch(lane, position - 1);
            case 7 -> new Message.Decided(lane, position, List.of(entry(random), Entry.FILLER));
            case 8 -> new Message.Page(checkpoint(random), place(random), rows(random), bases(random), place(random));
            case 9 -> new Message.Rejoin(random.nextInt(4_096), position);
            case 10 ->
                new Message.RejoinAnswer(
                        random.nextInt(4_096),
                        position,
                        List.of(acceptor(random), AcceptorState.EMPTY, acceptor(random)),
                        random.nextBoolean() ? List.of() : List.of(1, random.nextInt(4_096), 2));
            case 11 -> new Message.Forward(ballot, entry(random).submissions());
            case 12 ->
                new Message.ForwardRefused(
                        ballot,
                        random.longs(random.nextInt(5), 0, 1L << 40).boxed().toList());
            case 13 -> new Message.Offer(checkpoint(random));
            case 14 -> new Message.AskPages(position, place(random), 1 + random.nextInt(8));
            case 15 ->
                new Message.Revoke(
                        lane, ballot, 1 + random.nextInt(7), position, generations(random), acceptor(random));
            default -> new Message.RejoinRefused(random.nextInt(4_096), position);
        };
    }

    private static Answer answer(SplittableRandom random) {
        long token = random.nextLong(1L << 50);
        List<Value> values = List.of(Value.of(random.nextInt()), Value.NOTHING, Value.of("é" + token));
        Outcome.Reason[] reasons = Outcome.Reason.values();
        Answer.Refusal[] refusals = Answer.Refusal.values();
        return switch (random.nextInt(6)) {
            case 0 -> new Answer.Done(new Outcome.Committed(values), token);
            case 1 -> new Answer.Done(new Outcome.Aborted(reasons[random.nextInt(reasons.length)], "why"), token);
            case 2 -> new Answer.Snapshot(values, token, random.nextInt());
            case 3 -> new Answer.ReadFailed("because");
            case 4 -> new Answer.Refused(refusals[random.nextInt(refusals.length)], "no");
            default -> new Answer.Unknown("who knows");
        };
    }

    private static Entry entry(SplittableRandom random) {
        RowKey row = new RowKey("t", "k" + random.nextInt(10));
        SessionId session = new SessionId(random.nextInt(3), random.nextLong(100), random.nextInt(10));
        Transaction read = new Transaction(List.of(), List.of(new Statement.Return(new Expression.Column(row, "v"))));
        List<Request> requests = List.of(
                new Request.Open(),
                new Request.Run(session, 1 + random.nextLong(100), read),
                new Request.Once(read),
                new Request.Read(read),
                new Request.Resolve(session, 1 + random.nextLong(100)),
                new Request.Expire(session, random.nextLong(1_000)),
                new Request.ExpireRows(List.of(row), random.nextLong(1L << 44)));
        List<Submission> submissions = new ArrayList<>();
        boolean isFronted = random.nextBoolean();
        for (int i = random.nextInt(4); i > 0; i--) {
            Request request = requests.get(random.nextInt(requests.size()));
            long ticket = random.nextLong(1L << 60);
            submissions.add(
                    isFronted ? new Submission(ticket, body(request, random)) : new Submission(ticket, request));
        }
        return new Entry(random.nextLong(1L << 40), random.nextLong(1L << 40), submissions);
    }

    private static Body body(Request request, SplittableRandom random) {
        DataOut out = new DataOut();
        LogCodec.write(request, out);
        long[] tokens = random.longs(random.nextInt(4)).toArray();
        Front front = random.nextInt(4) == 0
                ? Front.OPENS
                : random.nextBoolean() ? Front.ofRows(tokens) : Front.ofClaims(tokens);
        return new Body(front, random.nextInt(Integer.MAX_VALUE), Bytes.copyOf(out.toBytes()));
    }

    private static AcceptorState acceptor(SplittableRandom random) {
        return new AcceptorState(
                random.nextLong(1L << 40),
                random.nextLong(1_000),
                List.of(new AcceptedEntry(random.nextLong(1_000), random.nextLong(1L << 40), entry(random))));
    }

    private static String place(SplittableRandom random) {
        return random.nextInt(3) == 0 ? "" : "-" + random.nextLong();
    }

    private static Checkpoint checkpoint(SplittableRandom random) {
        return new Checkpoint(random.nextLong(1_000), naturals(random), naturals(random), random.nextLong());
    }

    private static Map<RowKey, StoredRow> rows(SplittableRandom random) {
        Map<RowKey, StoredRow> rows = new HashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            rows.put(
                    new RowKey("t", "k" + i),
                    new StoredRow(random.nextLong(1L << 40), Row.ABSENT.with("v", Value.of(random.nextLong()))));
        }
        return rows;
    }

    private static Map<RowKey, Row> bases(SplittableRandom random) {
        Map<RowKey, Row> bases = new HashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            bases.put(new RowKey("t", "k" + i), Row.ABSENT.with("v", Value.of(random.nextLong())));
        }
        return bases;
    }

    private static List<Integer> generations(SplittableRandom random) {
        return List.of(1, 1 + random.nextInt(3), 1);
    }

    private static List<Long> naturals(SplittableRandom random) {
        return List.of(random.nextLong(1_000), random.nextLong(1L << 50), 0L);
    }
}
