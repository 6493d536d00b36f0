/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tokens of several groups of data centres, without a server. */
class TransactionTokensTest {

    private static ByteBuffer part(int group, long place) {
        return Tokens.bytesAt(group, place);
    }

    private static ByteBuffer groups(int from, int to) {
        return Tokens.joined(IntStream.rangeClosed(from, to)
                .mapToObj(group -> part(group, 5))
                .toArray(ByteBuffer[]::new));
    }

    private static SessionToken random(Random random) {
        List<ByteBuffer> parts = new ArrayList<>();
        for (int group = 0; group < 4; group++) {
            if (random.nextBoolean()) {
                parts.add(part(group, random.nextInt(3)));
            }
        }
        ByteBuffer sequential = random.nextBoolean() ? Tokens.bytesAt(random.nextInt(2)) : ByteBuffer.allocate(0);
        return SessionToken.parse(sequential, Tokens.joined(parts.toArray(new ByteBuffer[0])));
    }

    @Test
    void aTokenOfSeveralGroupsComesBackFromBytesAndFromText() {
        ByteBuffer bytes = Tokens.joined(part(0, 90), part(3, 7), part(Integer.MAX_VALUE, Long.MAX_VALUE));
        SessionToken token = SessionToken.parse(Tokens.bytesAt(5), bytes);

        assertThat(bytes.remaining()).isEqualTo(26 + 30 + 30);
        assertThat(token.transactionBytes()).isEqualTo(bytes);
        assertThat(SessionToken.parseText(token.toText())).isEqualTo(token).hasSameHashCodeAs(token);
        assertThat(SessionToken.parse(null, groups(1, 64)).transactionBytes()).isEqualTo(groups(1, 64));
    }

    @Test
    void textsWithoutGroupsAreWhatTheyWere() {
        String sequential = Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(Tokens.bytesAt(5).array());
        byte[] both = ByteBuffer.allocate(54)
                .put((byte) 2)
                .put((byte) 26)
                .put(Tokens.bytesAt(5))
                .put(Tokens.bytesAt(9))
                .array();
        SessionToken token = SessionToken.parse(Tokens.bytesAt(5), Tokens.bytesAt(9));

        assertThat(Tokens.at(5).toText()).isEqualTo(sequential);
        assertThat(token.toText())
                .isEqualTo(Base64.getUrlEncoder().withoutPadding().encodeToString(both));
        assertThat(SessionToken.parseText(token.toText())).isEqualTo(token);
        assertThat(SessionToken.EMPTY.toText()).isEmpty();
    }

    @Test
    void aTokenSaysOfEachGroupWhatItHasSeen() {
        assertThat(SessionToken.parse(Tokens.bytesAt(7), Tokens.joined(part(0, 90), part(3, 4))))
                .hasToString("SessionToken[cut 7 µs, entry 90, entry 4 of group 3]");
        assertThat(Tokens.of(part(3, 4))).hasToString("SessionToken[entry 4 of group 3]");
    }

    @Test
    void theMaximumHasOfEachGroupTheLaterPart() {
        SessionToken one = Tokens.of(part(0, 1), part(3, 9), part(5, 2));
        SessionToken other = Tokens.of(part(0, 4), part(3, 8), part(4, 0));

        SessionToken both = Tokens.of(part(0, 4), part(3, 9), part(4, 0), part(5, 2));

        assertThat(one.max(other)).isEqualTo(both);
        assertThat(other.max(one)).isEqualTo(both);
        assertThat(both.max(one)).isEqualTo(both);
        assertThat(SessionToken.EMPTY.max(one)).isEqualTo(one);
    }

    @Test
    void whoLacksAGroupOrIsEarlierInOneIsBehind() {
        SessionToken token = Tokens.of(part(0, 4), part(3, 8));

        assertThat(token.isBehindInTransactions(token)).isFalse();
        assertThat(token.isBehindInTransactions(Tokens.of(part(3, 8)))).isFalse();
        assertThat(token.isBehindInTransactions(Tokens.of(part(3, 9)))).isTrue();
        assertThat(token.isBehindInTransactions(Tokens.of(part(5, 0)))).isTrue();
        assertThat(Tokens.of(part(0, 100)).isBehindInTransactions(token)).isTrue();
    }

    @Test
    void theOrderIsTotalAndNoTokenIsAboveAMaximumOfIt() {
        Random random = new Random(5);
        for (int i = 0; i < 20_000; i++) {
            SessionToken a = random(random);
            SessionToken b = random(random);
            SessionToken c = random(random);
            SessionToken both = a.max(b);
            assertThat(both.compareTo(a)).isNotNegative();
            assertThat(both.compareTo(b)).isNotNegative();
            assertThat(both.isBehind(a) || both.isBehindInTransactions(b)).isFalse();
            assertThat(Integer.signum(a.compareTo(b))).isEqualTo(-Integer.signum(b.compareTo(a)));
            assertThat(a.compareTo(b) == 0).isEqualTo(a.equals(b));
            assertThat(a.compareTo(b) <= 0 && b.compareTo(c) <= 0 && a.compareTo(c) > 0)
                    .isFalse();
        }
    }

    @Test
    void moreGroupsThanAClusterHasCannotBePutTogether() {
        SessionToken one = SessionToken.parse(null, groups(1, 40));
        SessionToken other = SessionToken.parse(null, groups(41, 65));
        assertThatThrownBy(() -> one.max(other))
                .isInstanceOf(MalformedPayloadException.class)
                .hasMessageContaining("more than 64 groups");
    }

    static List<ByteBuffer> malformed() {
        ByteBuffer whole = part(0, 1);
        ByteBuffer of3 = part(3, 1);
        return List.of(
                ByteBuffer.wrap(new byte[] {1}),
                ByteBuffer.wrap(new byte[] {2}),
                whole.slice(0, 25),
                of3.slice(0, 29),
                Tokens.joined(whole, of3.slice(0, 26)),
                Tokens.joined(whole, of3, ByteBuffer.allocate(1)),
                Tokens.joined(whole, part(3, 1).put(0, (byte) 3)),
                Tokens.joined(ByteBuffer.allocate(26)),
                Tokens.joined(whole, whole),
                Tokens.joined(whole, of3, of3),
                Tokens.joined(of3, whole),
                Tokens.joined(part(4, 1), of3),
                Tokens.joined(whole, part(1, 1).putInt(1, 0)),
                part(1, 1).putInt(1, 0),
                part(1, 1).putInt(1, -1),
                part(3, -1),
                part(0, -1),
                groups(1, 65),
                groups(0, 64));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void partsThatNoServerMakesAreRefused(ByteBuffer parts) {
        assertThatThrownBy(() -> SessionToken.parse(null, parts)).isInstanceOf(MalformedPayloadException.class);
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void soAreTextsOfThem(ByteBuffer parts) {
        ByteBuffer all =
                ByteBuffer.allocate(2 + parts.remaining()).put((byte) 2).put((byte) 0);
        String text =
                Base64.getUrlEncoder().encodeToString(all.put(parts.duplicate()).array());
        assertThatThrownBy(() -> SessionToken.parseText(text)).isInstanceOf(MalformedPayloadException.class);
    }

    @Test
    void theSequentialHalfHasNoGroups() {
        assertThatThrownBy(() -> SessionToken.parse(part(3, 1)))
                .isInstanceOf(MalformedPayloadException.class)
                .hasMessageContaining("version 2");
        assertThatThrownBy(() -> SessionToken.parse(Tokens.joined(part(0, 1), part(3, 1))))
                .isInstanceOf(MalformedPayloadException.class)
                .hasMessageContaining("56 bytes");
    }
}
