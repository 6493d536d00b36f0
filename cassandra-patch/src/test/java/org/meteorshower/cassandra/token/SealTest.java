/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.token;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.token.TokenFormat.BadTokenException;

class SealTest {
    private static Seal seal(Map<Integer, byte[]> secrets) {
        return new TokenFormat(new TokenSecrets(secrets, null)).seal();
    }

    private final Seal seal = seal(Map.of(3, new byte[16]));

    @Test
    void aSealedNameComesBackForItsOwnerOnly() throws Exception {
        String sealed = seal.seal("0.12.3", "alice");

        assertThat(seal.open(sealed, "alice")).isEqualTo("0.12.3");
        assertThatThrownBy(() -> seal.open(sealed, "bob"))
                .isInstanceOf(BadTokenException.class)
                .hasMessageContaining("another role");
        assertThatThrownBy(() -> seal.open(sealed.replace("0.12.3", "0.12.4"), "alice"))
                .isInstanceOf(BadTokenException.class);
    }

    @Test
    void whatNoNodeHasSealedIsRefused() {
        for (String forged :
                new String[] {"0.12.3", "", "0.12.3.3.00", "0.12.3.3." + "0".repeat(32), "x".repeat(300)}) {
            assertThatThrownBy(() -> seal.open(forged, "alice")).isInstanceOf(BadTokenException.class);
        }
    }

    @Test
    void aNameOutlivesTheNextSecret() throws Exception {
        String sealed = seal.seal("0.12.3", "alice");

        assertThat(seal(Map.of(3, new byte[16], 4, new byte[20])).open(sealed, "alice"))
                .isEqualTo("0.12.3");
        assertThatThrownBy(() -> seal(Map.of(4, new byte[20])).open(sealed, "alice"))
                .hasMessageContaining("secret 3");
    }

    @Test
    void anOwnersNameDoesNotRunIntoTheNameThatIsSealed() {
        String sealed = seal.seal("2.3", "a1.");
        assertThatThrownBy(() -> seal.open(sealed.replaceFirst("2", "1.2"), "a"))
                .isInstanceOf(BadTokenException.class);
    }
}
