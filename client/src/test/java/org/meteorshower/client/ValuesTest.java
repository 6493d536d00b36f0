/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tokens, modes and payload entries, without a server. */
class ValuesTest {

    @Test
    void aTokenComesBackFromBytesAndFromText() {
        SessionToken token = Tokens.at(1_700_000_000_000_000L);
        assertThat(SessionToken.parse(token.bytes())).isEqualTo(token);
        assertThat(SessionToken.parseText(token.toText())).isEqualTo(token);
        assertThat(SessionToken.parseText(SessionToken.EMPTY.toText())).isEqualTo(SessionToken.EMPTY);
        assertThat(token).hasToString("SessionToken[cut 1700000000000000 µs]");
    }

    @Test
    void parsingLeavesTheBufferWhereItWas() {
        ByteBuffer longer = ByteBuffer.allocate(40)
                .position(7)
                .put(Tokens.bytesAt(12))
                .flip()
                .position(7);
        assertThat(SessionToken.parse(longer)).isEqualTo(Tokens.at(12));
        assertThat(longer.position()).isEqualTo(7);
    }

    @Test
    void tokensAreOrderedByCutAndTheEmptyOneIsSmallest() {
        assertThat(SessionToken.EMPTY).isLessThan(Tokens.at(0));
        assertThat(Tokens.at(1)).isLessThan(Tokens.at(2));
        assertThat(Tokens.at(1).max(Tokens.at(2))).isEqualTo(Tokens.at(2));
        assertThat(Tokens.at(2).max(Tokens.at(1))).isEqualTo(Tokens.at(2));
        assertThat(SessionToken.EMPTY.max(Tokens.at(0))).isEqualTo(Tokens.at(0));
    }

    @Test
    void aTokenHasTheLaterOfEachHalfAndComesBackFromText() {
        SessionToken one = SessionToken.parse(Tokens.bytesAt(5), Tokens.bytesAt(90));
        SessionToken both = one.max(SessionToken.parse(Tokens.bytesAt(7), Tokens.bytesAt(80)));
        assertThat(both).isEqualTo(SessionToken.parse(Tokens.bytesAt(7), Tokens.bytesAt(90)));
        assertThat(SessionToken.parseText(both.toText())).isEqualTo(both);
        SessionToken transactionsOnly = SessionToken.parse(null, Tokens.bytesAt(3));
        assertThat(SessionToken.parseText(transactionsOnly.toText())).isEqualTo(transactionsOnly);
        assertThat(transactionsOnly.isEmpty()).isFalse();
        assertThat(both).hasToString("SessionToken[cut 7 µs, entry 90]");
    }

    @Test
    void aTextOfHalvesThatDoNotFitIsRefused() {
        for (byte[] bytes : new byte[][] {{2}, {2, 30, 1}, {2, -1, 1}, {2, 0, 9}}) {
            String text = java.util.Base64.getUrlEncoder().encodeToString(bytes);
            assertThatThrownBy(() -> SessionToken.parseText(text)).isInstanceOf(MalformedPayloadException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 9, 25, 27, 1_000})
    void aTokenOfAnotherLengthIsRefused(int length) {
        assertThatThrownBy(() -> SessionToken.parse(ByteBuffer.allocate(length).put(0, (byte) 1)))
                .isInstanceOf(MalformedPayloadException.class)
                .hasMessageContaining(length + " bytes");
    }

    @Test
    void aTokenOfAnotherVersionOrWithANegativeCutIsRefused() {
        assertThatThrownBy(() -> SessionToken.parse(Tokens.bytesAt(1).put(0, (byte) 2)))
                .isInstanceOf(MalformedPayloadException.class)
                .hasMessageContaining("version 2");
        assertThatThrownBy(() -> Tokens.at(-1))
                .isInstanceOf(MalformedPayloadException.class)
                .hasMessageContaining("negative");
        assertThatThrownBy(() -> SessionToken.parseText("not base64!"))
                .isInstanceOf(MalformedPayloadException.class)
                .hasMessageContaining("base64url");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sequential", "meteorshower1", "meteorshower2", "strict", "bounded:0", "bounded:5000"})
    void everyModeIsSpelledAsItIsRead(String text) {
        assertThat(ReadMode.parse(text).text()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Sequential",
                "quorum",
                "bounded",
                "bounded:",
                "bounded:-1",
                "bounded:5ms",
                "bounded:9999999999999999999"
            })
    void whatIsNoModeIsRefusedWithTheListOfThoseThereAre(String text) {
        assertThatThrownBy(() -> ReadMode.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("use sequential, meteorshower1, meteorshower2, strict, or bounded:");
    }

    @Test
    void aBoundIsInMicrosecondsAndRoundedToTheStricterSide() {
        assertThat(ReadMode.bounded(Duration.ofNanos(5_000_999))).isEqualTo(ReadMode.parse("bounded:5000"));
        assertThatThrownBy(() -> ReadMode.bounded(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ReadMode.bounded(Duration.ofSeconds(Long.MAX_VALUE)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("shorter");
    }

    @Test
    void aModeOnAStatementKeepsTheRestOfItsPayload() {
        ByteBuffer own = ByteBuffer.allocate(1);
        var statement =
                ReadMode.STRICT.on(SimpleStatement.newInstance("SELECT 1").setCustomPayload(Map.of("own", own)));
        assertThat(statement.getCustomPayload())
                .containsEntry("own", own)
                .containsEntry(PayloadKeys.MODE, Payload.ofText("strict"));
    }

    @ParameterizedTest
    @EnumSource(Served.class)
    void howAReadWasServedIsSpelledAsItIsRead(Served served) {
        assertThat(Served.parse(served.text())).isEqualTo(served);
    }

    @Test
    void entriesThatCannotBeUnderstoodAreNamed() {
        assertThatThrownBy(() -> Served.parse("guessed"))
                .isInstanceOf(MalformedPayloadException.class)
                .hasMessageContaining("guessed");
        assertThatThrownBy(() -> Payload.micros(Map.of(), PayloadKeys.CUT))
                .isInstanceOf(MalformedPayloadException.class)
                .hasMessageContaining("meteorshower.cut")
                .hasMessageContaining("missing");
        assertThatThrownBy(() -> Payload.micros(Map.of(PayloadKeys.CUT, ByteBuffer.allocate(4)), PayloadKeys.CUT))
                .hasMessageContaining("is 4");
        assertThatThrownBy(() -> Payload.micros(
                        Map.of(PayloadKeys.CUT, ByteBuffer.allocate(8).putLong(0, -5)), PayloadKeys.CUT))
                .hasMessageContaining("negative");
    }
}
