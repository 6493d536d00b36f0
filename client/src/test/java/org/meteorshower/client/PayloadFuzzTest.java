/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;

/** What a coordinator or an application gives the session is read or refused, and nothing else. */
class PayloadFuzzTest {
    private static byte[] token(SplittableRandom random) {
        byte[] token = new byte[26];
        Tokens.bytesAt(random.nextLong(Long.MAX_VALUE))
                .putLong(10, random.nextLong())
                .get(0, token);
        return token;
    }

    /** What a session has seen of transactions of some groups, as it travels. */
    private static byte[] transactionsToken(SplittableRandom random) {
        ByteBuffer parts = ByteBuffer.allocate(4 * 30);
        for (int group = 0; group < 4; group++) {
            if (random.nextBoolean()) {
                parts.put(Tokens.bytesAt(group, random.nextLong(Long.MAX_VALUE)));
            }
        }
        byte[] bytes = new byte[parts.position()];
        parts.get(0, bytes);
        return bytes;
    }

    private static final class TransactionTokenBytes implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            byte[] token = transactionsToken(random);
            return new Sample(token, decode(token));
        }

        @Override
        public SessionToken decode(byte[] input) {
            return SessionToken.parse(null, ByteBuffer.wrap(input));
        }

        /** What is read is written as it was read. */
        @Override
        public Object view(Object decoded) {
            SessionToken token = (SessionToken) decoded;
            return SessionToken.parse(null, token.transactionBytes());
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof MalformedPayloadException;
        }
    }

    private static final class TokenBytes implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            byte[] token = token(random);
            return new Sample(token, SessionToken.parse(ByteBuffer.wrap(token)));
        }

        @Override
        public SessionToken decode(byte[] input) {
            return SessionToken.parse(ByteBuffer.wrap(input));
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof MalformedPayloadException;
        }
    }

    private static final class TokenTexts implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            SessionToken token =
                    SessionToken.parse(ByteBuffer.wrap(token(random)), ByteBuffer.wrap(transactionsToken(random)));
            return Sample.text(token.toText(), token);
        }

        @Override
        public SessionToken decode(byte[] input) {
            return SessionToken.parseText(new String(input, StandardCharsets.UTF_8));
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof MalformedPayloadException;
        }

        @Override
        public List<String> words() {
            return List.of("=", "==", "+", "/", "-", "_", "\n", "A");
        }
    }

    /**
     * The payload of a response. In an input each entry is one byte for its key, two for its length, and its bytes; the
     * driver has read such a thing before the session sees it.
     */
    private static final class Responses implements Target {
        private static final List<String> KEYS = List.of(
                PayloadKeys.TOKEN,
                PayloadKeys.SERVED,
                PayloadKeys.CUT,
                PayloadKeys.STALENESS,
                PayloadKeys.TIMESTAMP,
                "other");

        /** What the session makes of a response. */
        private record Told(SessionToken token, Optional<ReadInfo> read, Optional<WriteInfo> write) {}

        @Override
        public Sample sample(SplittableRandom random) {
            ByteBuffer out = ByteBuffer.allocate(200);
            byte[] token = token(random);
            entry(out, PayloadKeys.TOKEN, token);
            Optional<ReadInfo> read = Optional.empty();
            Optional<WriteInfo> write = Optional.empty();
            if (random.nextBoolean()) {
                Served served = random.nextBoolean() ? Served.OLDER : Served.PULLED;
                long cutMicros = random.nextLong(Long.MAX_VALUE);
                entry(out, PayloadKeys.SERVED, served.text().getBytes(StandardCharsets.UTF_8));
                entry(out, PayloadKeys.CUT, micros(cutMicros));
                entry(out, PayloadKeys.STALENESS, micros(7));
                read = Optional.of(new ReadInfo(served, cutMicros, 7));
            } else {
                long timestampMicros = random.nextLong(Long.MAX_VALUE);
                entry(out, PayloadKeys.TIMESTAMP, micros(timestampMicros));
                write = Optional.of(new WriteInfo(timestampMicros));
            }
            byte[] bytes = new byte[out.position()];
            out.get(0, bytes);
            return new Sample(bytes, new Told(SessionToken.parse(ByteBuffer.wrap(token)), read, write));
        }

        private static byte[] micros(long micros) {
            return ByteBuffer.allocate(8).putLong(micros).array();
        }

        private static void entry(ByteBuffer out, String key, byte[] value) {
            out.put((byte) KEYS.indexOf(key)).putShort((short) value.length).put(value);
        }

        @Override
        public Told decode(byte[] input) {
            Map<String, ByteBuffer> payload = new HashMap<>();
            ByteBuffer in = ByteBuffer.wrap(input);
            while (in.remaining() >= 3) {
                String key = KEYS.get((in.get() & 0xff) % KEYS.size());
                int length = Math.min(in.getShort() & 0xffff, in.remaining());
                payload.put(key, in.slice(in.position(), length).asReadOnlyBuffer());
                in.position(in.position() + length);
            }
            ExecutionInfo info = (ExecutionInfo) Proxy.newProxyInstance(
                    ExecutionInfo.class.getClassLoader(),
                    new Class<?>[] {ExecutionInfo.class},
                    (proxy, method, arguments) -> method.getName().equals("getIncomingPayload") ? payload : null);
            TokenHolder holder = new TokenHolder();
            holder.observeResponse(info, SessionToken.EMPTY);
            return new Told(holder.current(), ReadInfo.of(info), WriteInfo.of(info));
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof MalformedPayloadException;
        }
    }

    private static final class Modes implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            ReadMode mode = random.nextBoolean() ? ReadMode.STRICT : ReadMode.parse("bounded:" + random.nextInt(9_999));
            return Sample.text(mode.text(), mode);
        }

        @Override
        public ReadMode decode(byte[] input) {
            return ReadMode.parse(new String(input, StandardCharsets.UTF_8));
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof IllegalArgumentException
                    && String.valueOf(thrown.getMessage()).contains("is not a read mode");
        }

        @Override
        public List<String> words() {
            return List.of("bounded:", "sequential", "9223372036854775807", "-", "+", "\u0663");
        }
    }

    /** The text of a statement: whatever it is, it is of some kind. */
    private static final class Statements implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            String comment = random.nextBoolean() ? "/* 'SELECT' */ " : "-- x\n";
            return switch (random.nextInt(3)) {
                case 0 -> Sample.text(comment + "SELECT v FROM t WHERE k = 'a''b'", StatementKind.READ);
                case 1 -> Sample.text(comment + "UPDATE t SET v = $$IF$$ WHERE k = \"IN\"", StatementKind.WRITE);
                default -> Sample.text(comment + "DELETE FROM t WHERE k IN (1)", StatementKind.WRITE_IN_STEPS);
            };
        }

        @Override
        public StatementKind decode(byte[] input) {
            return StatementKind.ofText(new String(input, StandardCharsets.UTF_8));
        }

        @Override
        public boolean declares(Throwable thrown) {
            return false;
        }

        @Override
        public List<String> words() {
            return List.of("/*", "*/", "--", "//", "$$", "'", "\"", "\n", "IF", "IN", "SELECT", "BEGIN", "\u0130");
        }
    }

    @Test
    void aTokenIsReadAsItWasMadeOrRefused() {
        Fuzz.run("tokens at the client", new TokenBytes(), 50_000);
    }

    @Test
    void aTokenOfSeveralGroupsIsReadAsItWasMadeOrRefused() {
        Fuzz.run("tokens of transactions", new TransactionTokenBytes(), 50_000);
    }

    @Test
    void aTokenAsTextIsReadAsItWasMadeOrRefused() {
        Fuzz.run("tokens as text", new TokenTexts(), 50_000);
    }

    @Test
    void aResponseIsUnderstoodOrRefused() {
        Fuzz.run("responses' payloads", new Responses(), 40_000);
    }

    @Test
    void aModeIsReadAsItIsSpelledOrRefused() {
        Fuzz.run("modes at the client", new Modes(), 30_000);
    }

    @Test
    void everyTextIsAStatementOfSomeKind() {
        Fuzz.run("statements", new Statements(), 30_000);
    }
}
