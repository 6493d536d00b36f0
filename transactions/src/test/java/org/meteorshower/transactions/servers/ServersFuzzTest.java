/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.transactions.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.meteorshower.transactions.servers.Bench.copy;
import static org.meteorshower.transactions.servers.Bench.once;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;
import org.meteorshower.transactions.codec.BadDataException;
import org.meteorshower.transactions.codec.LogCodec;
import org.meteorshower.transactions.fronts.Bodies;
import org.meteorshower.transactions.language.Bytes;
import org.meteorshower.transactions.language.Holdings;
import org.meteorshower.transactions.language.Kind;
import org.meteorshower.transactions.language.Outcome;
import org.meteorshower.transactions.language.Partition;
import org.meteorshower.transactions.language.Range;
import org.meteorshower.transactions.language.Row;
import org.meteorshower.transactions.language.RowKey;
import org.meteorshower.transactions.language.RowOrder;
import org.meteorshower.transactions.language.Value;
import org.meteorshower.transactions.log.Entry;
import org.meteorshower.transactions.log.Request;
import org.meteorshower.transactions.log.SessionId;
import org.meteorshower.transactions.log.Submission;
import org.meteorshower.transactions.log.Version;

/** What chain servers read is as it was written, or refused. */
class ServersFuzzTest {
    private static final Bodies BODIES = new Bodies(Bench.division(2));

    /** Entries of both forms, and what is executed of them: whatever stands in one, there is something. */
    private static final class Entries implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            Entry entry = entry(random);
            Entry fronted = random.nextInt(4) == 0 ? entry : BODIES.fronted(entry);
            return new Sample(LogCodec.bytes(fronted), fronted);
        }

        @Override
        public Object decode(byte[] input) throws BadDataException {
            Entry read = LogCodec.entry(input);
            assertThat(BODIES.executed(read).submissions()).hasSameSizeAs(read.submissions());
            assertThat(BODIES.fronted(read).submissions()).hasSameSizeAs(read.submissions());
            return read;
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof BadDataException;
        }
    }

    @Test
    void damagedEntriesAreRefusedOrExecuted() {
        assertThat(Fuzz.run("chain servers' entries", new Entries(), 20_000).refused())
                .isPositive();
    }

    /** Packets of messages of each kind. */
    private static final class Messages implements Target {
        private static final ChainCodec CODEC = new ChainCodec(4);

        @Override
        public Sample sample(SplittableRandom random) {
            List<ChainMessage> messages = new ArrayList<>();
            List<byte[]> packets = new ArrayList<>();
            Packets all = new Packets(CODEC, 1 << 20, (packet, node) -> packets.add(packet));
            for (int left = 1 + random.nextInt(4); left > 0; left--) {
                ChainMessage message = message(random);
                messages.add(message);
                all.add(0, message);
            }
            all.flush();
            return new Sample(packets.get(0), messages);
        }

        @Override
        public Object decode(byte[] input) throws BadDataException {
            return Packets.read(input, CODEC);
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof BadDataException;
        }
    }

    @Test
    void damagedPacketsAreRefused() {
        assertThat(Fuzz.run("chain servers' messages", new Messages(), 20_000).refused())
                .isPositive();
    }

    private static ChainMessage message(SplittableRandom random) {
        long count = random.nextLong(1L << 30);
        long version = Version.of(count, random.nextInt(100));
        int from = random.nextInt(4);
        return switch (random.nextInt(8)) {
            case 0 ->
                new ChainMessage.Slices(
                        random.nextLong(100),
                        from,
                        count,
                        count + 20L,
                        slices(random, count),
                        count / 2,
                        count,
                        count / 3,
                        List.of(count, 0L, 7L, random.nextLong(1L << 40)));
            case 1 ->
                new ChainMessage.Progress(
                        from,
                        new Life(random.nextLong(9), random.nextLong(9), random.nextLong(9)),
                        random.nextLong(9) - 1,
                        random.nextLong(9) - 1,
                        random.nextLong(9) - 1,
                        random.nextBoolean() ? Row.NEVER : count,
                        random.nextLong(1L << 30));
            case 2 -> new ChainMessage.Forward(version, from, random.nextInt(4), rows(random));
            case 3 -> new ChainMessage.Backward(version, from, random.nextInt(4), random.nextInt(17), rows(random));
            case 4 -> new ChainMessage.Ask(version, random.nextInt(16), from, random.nextInt(4), missing(random));
            case 5 ->
                new ChainMessage.Told(
                        version, random.nextInt(16), from, random.nextInt(4), rows(random), random.nextLong(1L << 30));
            case 6 -> new ChainMessage.Ended(version, from, outcome(random), random.nextLong());
            default -> new ChainMessage.Again(random.nextInt(5) - 1, from, count);
        };
    }

    private static Holdings.Missing missing(SplittableRandom random) {
        Set<Range> ranges = new HashSet<>();
        for (int left = random.nextInt(3); left > 0; left--) {
            byte[] value = {0, 0, 0, (byte) random.nextInt(100)};
            ranges.add(new Range(
                    new Partition("t", "p" + random.nextInt(3)),
                    new RowOrder(List.of(new RowOrder.Column(Kind.INT, 4, random.nextBoolean()))),
                    Range.Edge.OPEN,
                    new Range.Edge(List.of(new Value.Typed(Kind.INT, Bytes.copyOf(value))), random.nextBoolean()),
                    random.nextBoolean(),
                    random.nextInt(9) - 1));
        }
        return new Holdings.Missing(rows(random).keySet(), ranges);
    }

    private static List<Slice> slices(SplittableRandom random, long from) {
        List<Slice> slices = new ArrayList<>();
        for (int left = random.nextInt(3); left > 0; left--) {
            List<Slice.Piece> pieces = new ArrayList<>();
            int index = random.nextInt(5);
            for (Submission submission : entry(random).submissions()) {
                pieces.add(new Slice.Piece(index, BODIES.of(submission.request())));
                index += 1 + random.nextInt(900);
            }
            slices.add(new Slice(from + 5L * slices.size(), random.nextInt(3), random.nextLong(100), pieces));
        }
        return slices;
    }

    private static Map<RowKey, Row> rows(SplittableRandom random) {
        Map<RowKey, Row> rows = new HashMap<>();
        for (int left = random.nextInt(4); left > 0; left--) {
            rows.put(
                    row(random),
                    random.nextInt(4) == 0 ? Row.ABSENT : Row.ABSENT.with("v", Value.of(random.nextInt())));
        }
        return rows;
    }

    private static Outcome outcome(SplittableRandom random) {
        Outcome.Reason[] reasons = Outcome.Reason.values();
        return random.nextBoolean()
                ? new Outcome.Committed(List.of(Value.of(random.nextInt()), Value.NOTHING))
                : new Outcome.Aborted(reasons[random.nextInt(reasons.length)], "why");
    }

    static Entry entry(SplittableRandom random) {
        List<Submission> submissions = new ArrayList<>();
        for (int left = random.nextInt(5); left > 0; left--) {
            submissions.add(new Submission(random.nextLong(1L << 50), request(random)));
        }
        return new Entry(random.nextLong(1L << 40), random.nextLong(1L << 40), submissions);
    }

    private static Request request(SplittableRandom random) {
        SessionId session = new SessionId(random.nextInt(3), random.nextLong(100), random.nextInt(10));
        Request.Once once = once(copy(row(random), row(random)), copy(row(random), row(random)));
        return switch (random.nextInt(5)) {
            case 0 -> new Request.Open();
            case 1 -> new Request.Run(session, 1 + random.nextLong(100), once.transaction());
            case 2 -> new Request.Expire(session, random.nextLong(1_000));
            case 3 -> new Request.ExpireRows(List.of(row(random), row(random)), random.nextLong(1L << 44));
            default -> once;
        };
    }

    static RowKey row(SplittableRandom random) {
        return new RowKey("t", "k" + random.nextInt(10));
    }
}
