/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.token;

import java.nio.ByteBuffer;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.cassandra.utils.ByteBufferUtil;
import org.junit.jupiter.api.Test;
import org.meteorshower.cassandra.token.TokenFormat.BadTokenException;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;

/** A token is read as it was made or refused, and no damaged one passes. */
class TokenFuzzTest {
    private static final class Tokens implements Target {
        private final TokenFormat format =
                new TokenFormat(new TokenSecrets(Map.of(0, new byte[16], 7, new byte[20]), null));

        @Override
        public Sample sample(SplittableRandom random) {
            long cutMicros = random.nextLong(Long.MAX_VALUE);
            return new Sample(ByteBufferUtil.getArray(format.encode(cutMicros)), cutMicros);
        }

        @Override
        public Object decode(byte[] input) throws BadTokenException {
            long cutMicros = format.decode(ByteBuffer.wrap(input));
            if (input.length > 0 && !format.encode(cutMicros).equals(ByteBuffer.wrap(input))) {
                throw new AssertionError("a token that nobody made passes for " + cutMicros);
            }
            return cutMicros;
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof BadTokenException;
        }
    }

    @Test
    void aTokenIsReadAsItWasMadeOrRefused() {
        Fuzz.run("tokens", new Tokens(), 100_000);
    }
}
