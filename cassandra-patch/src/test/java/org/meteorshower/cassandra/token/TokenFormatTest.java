/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.token.TokenFormat.BadTokenException;

class TokenFormatTest {
    private static final byte[] SECRET =
            "a secret of sixteen bytes or more".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    private static final byte[] OTHER =
            "another secret, as long as that".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    private final TokenFormat format = new TokenFormat(new TokenSecrets(Map.of(0, SECRET), null));

    private static void assertRefused(TokenFormat format, byte[] token, String reason) {
        assertThatThrownBy(() -> format.decode(ByteBuffer.wrap(token)))
                .isInstanceOf(BadTokenException.class)
                .hasMessageContaining(reason);
    }

    private byte[] token() {
        byte[] bytes = new byte[26];
        format.encode(1_795_241_386_881_390L).get(bytes);
        return bytes;
    }

    @Test
    void aTokenComesBackAsItWas() throws BadTokenException {
        ByteBuffer token = format.encode(123_456);
        assertThat(format.decode(token)).isEqualTo(123_456);
        assertThat(token.remaining()).isEqualTo(26);
        assertThat(token.get(0)).isEqualTo((byte) 1);
        assertThat(token.getLong(1)).isEqualTo(123_456);
    }

    @Test
    void aTokenMayHaveAPartForEachGroupOfLanes() throws BadTokenException {
        TokenFormat.Part whole = new TokenFormat.Part(0, 123_456);
        TokenFormat.Part some = new TokenFormat.Part(5, 7);
        ByteBuffer both = ByteBuffer.allocate(56)
                .put(format.encode(whole))
                .put(format.encode(some))
                .flip();
        assertThat(format.parts(both)).containsExactly(whole, some);
        assertThat(both.get(26)).isEqualTo((byte) 2);
        assertThat(both.getInt(27)).isEqualTo(5);
        assertThat(both.getLong(31)).isEqualTo(7);
        assertRefused(format, both.array(), "56 bytes instead of 26");
        assertRefused(format, format.encode(some).array(), "is one of transactions");
        for (int i = 0; i < 56; i++) {
            byte[] altered = both.array().clone();
            altered[i] ^= 0x40;
            assertThatThrownBy(() -> format.parts(ByteBuffer.wrap(altered))).isInstanceOf(BadTokenException.class);
        }
        byte[] cut = java.util.Arrays.copyOf(both.array(), 50);
        assertThatThrownBy(() -> format.parts(ByteBuffer.wrap(cut))).hasMessageContaining("24 bytes instead of 30");
        ByteBuffer many = ByteBuffer.allocate(65 * 26);
        for (int i = 0; i < 65; i++) {
            many.put(format.encode(whole));
        }
        assertThatThrownBy(() -> format.parts(many.flip())).hasMessageContaining("more than 64 parts");
    }

    @Test
    void anEmptyTokenIsThatOfASessionThatHasSeenNothing() throws BadTokenException {
        assertThat(format.decode(ByteBuffer.allocate(0))).isZero();
    }

    @Test
    void everySingleAlteredByteIsRefused() {
        for (int i = 0; i < 26; i++) {
            byte[] altered = token();
            altered[i] ^= 0x40;
            byte[] refused = altered;
            assertThatThrownBy(() -> format.decode(ByteBuffer.wrap(refused))).isInstanceOf(BadTokenException.class);
        }
    }

    @Test
    void theRefusalNamesTheReason() {
        byte[] version = token();
        version[0] = 9;
        assertRefused(format, version, "version 9");
        assertRefused(format, java.util.Arrays.copyOf(token(), 20), "20 bytes");
        byte[] forged = token();
        forged[3]++;
        assertRefused(format, forged, "forged");
        byte[] unknown = token();
        unknown[9] = 7;
        assertRefused(format, unknown, "secret 7");
    }

    @Test
    void aTokenOfAnotherClusterIsRefused() {
        assertRefused(new TokenFormat(new TokenSecrets(Map.of(0, OTHER), null)), token(), "another cluster");
    }

    @Test
    void aSecretCanBeReplacedWhileSessionsGoOn() throws BadTokenException {
        TokenFormat knowsBoth = new TokenFormat(new TokenSecrets(Map.of(0, SECRET, 1, OTHER), 0));
        TokenFormat usesNew = new TokenFormat(new TokenSecrets(Map.of(0, SECRET, 1, OTHER), 1));
        assertThat(knowsBoth.decode(format.encode(5))).isEqualTo(5);
        assertThat(format.decode(knowsBoth.encode(6))).isEqualTo(6);
        assertThat(usesNew.decode(format.encode(7))).isEqualTo(7);
        assertThat(knowsBoth.decode(usesNew.encode(8))).isEqualTo(8);
    }

    @Test
    void theCoordinatorsTokenNeverGoesBack() {
        CoordinatorToken token = new CoordinatorToken(0);
        token.advanceTo(5);
        token.advanceTo(3);
        assertThat(token.cutMicros()).isEqualTo(5);
    }
}
