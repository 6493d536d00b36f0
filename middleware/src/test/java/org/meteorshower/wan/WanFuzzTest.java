/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.wan;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;

/** A network file is read or refused, and nothing else. */
class WanFuzzTest {
    private static final class Files implements Target {
        private static final List<String> PLACES = List.of("eu", "us", "asia");

        /** Delays in whole milliseconds, one line per pair: what is expected is the link of each pair. */
        @Override
        public Sample sample(SplittableRandom random) {
            StringBuilder text = new StringBuilder("# a network\n");
            TreeMap<String, WanLink> expected = new TreeMap<>();
            for (String from : PLACES) {
                for (String to : PLACES) {
                    int millis = random.nextInt(4) * 50;
                    double loss = random.nextInt(3) / 8.0;
                    boolean cut = random.nextInt(5) == 0;
                    String pair = from + "." + to;
                    text.append("delay.")
                            .append(pair)
                            .append('=')
                            .append(millis)
                            .append('\n');
                    text.append("loss.").append(pair).append(" = ").append(loss).append("\n\n");
                    text.append("cut.").append(pair).append('=').append(cut).append('\n');
                    expected.put(pair, new WanLink(millis * 1_000_000L, 0, loss, cut));
                }
            }
            return Sample.text(text.append("clock.eu-1=-120000").toString(), expected);
        }

        @Override
        public WanMatrix decode(byte[] input) throws WanFormatException {
            return WanMatrix.parse(
                    new String(input, StandardCharsets.UTF_8).lines().toList());
        }

        @Override
        public Object view(Object decoded) {
            TreeMap<String, WanLink> links = new TreeMap<>();
            for (String from : PLACES) {
                for (String to : PLACES) {
                    links.put(from + "." + to, ((WanMatrix) decoded).link(from, to));
                }
            }
            return links;
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof WanFormatException;
        }

        @Override
        public List<String> words() {
            return List.of(
                    "=", ".", "\n", "NaN", "Infinity", "1e999", "-1e-400", "0x1p3", "jitter.eu.us=", "clock.", "#");
        }
    }

    @Test
    void aNetworkFileIsReadAsItWasWrittenOrRefused() {
        Fuzz.run("network files", new Files(), 30_000);
    }
}
