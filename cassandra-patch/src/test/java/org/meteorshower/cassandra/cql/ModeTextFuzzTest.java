/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.cql;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;
import org.meteorshower.protocol.ReadMode;

/** A client's read mode is read or refused, and nothing else. */
class ModeTextFuzzTest {
    private static final class Modes implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            int thetaMicros = random.nextInt(10_000);
            return random.nextBoolean()
                    ? Sample.text("strict", ReadMode.STRICT)
                    : Sample.text("bounded:" + thetaMicros, ReadMode.bounded(thetaMicros));
        }

        @Override
        public ReadMode decode(byte[] input) {
            return ModeText.parse(new String(input, StandardCharsets.UTF_8));
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof IllegalArgumentException
                    && String.valueOf(thrown.getMessage()).contains("is no read mode");
        }

        @Override
        public List<String> words() {
            return List.of("bounded:", "sequential", "9223372036854775807", "-", "+", "\u0663");
        }
    }

    @Test
    void aModeIsReadAsItIsSpelledOrRefused() {
        Fuzz.run("modes of clients", new Modes(), 50_000);
    }
}
