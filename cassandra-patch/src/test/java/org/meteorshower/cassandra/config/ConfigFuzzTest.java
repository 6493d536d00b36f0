/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.config;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;

/** meteorshower.yaml is read or refused, and nothing else. */
class ConfigFuzzTest {
    private static final class Files implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            int port = random.nextInt(1, 65_536);
            boolean lead = random.nextBoolean();
            int interval = random.nextInt(1, 1_000);
            String text = "# settings\ntransport:\n  port: " + port + "\n  address: 127.0.0.1\nlead: " + lead
                    + "\njournal: {segment_mb: 8, sync: batch, directory: '/tmp/j'}\ndispatch_interval_ms: " + interval
                    + (random.nextBoolean() ? "\ntoken_secret: 00112233445566778899aabbccddeeff" : "")
                    + "\nwan:\n  file: network.txt\nweak_writes: raise\n";
            return Sample.text(text, port + " " + lead + " " + interval * 1_000L);
        }

        @Override
        public PluginConfig decode(byte[] input) throws ConfigException {
            return ConfigParser.parse(new String(input, StandardCharsets.UTF_8));
        }

        @Override
        public Object view(Object decoded) {
            PluginConfig config = (PluginConfig) decoded;
            return config.transportPort() + " " + config.settings().lead() + " "
                    + config.settings().dispatchIntervalMicros();
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof ConfigException;
        }

        @Override
        public List<String> words() {
            return List.of(
                    "&a [[*a]]",
                    "&a {b: *a}",
                    "*a",
                    "&a",
                    "? ",
                    "<<: ",
                    "!!binary ",
                    "!!set ",
                    "!!float ",
                    "!!int ",
                    "!!timestamp ",
                    "!!java.lang.Object ",
                    "0x",
                    "0b",
                    "190:20:30",
                    "2001-12-14",
                    "~",
                    "[",
                    "]",
                    "{",
                    "}",
                    "\"\\0\"",
                    "|\n",
                    ">\n",
                    "---\n",
                    "...\n",
                    "%YAML 9.9\n",
                    "\t",
                    "\u0000",
                    ".nan",
                    ".inf",
                    "token_secrets: {1: 00112233445566778899aabbccddeeff}\n",
                    "token_secret_id: 1\n");
        }

        /** The parser of YAML keeps tables for each text. */
        @Override
        public int bytesPerByte() {
            return 2_048;
        }
    }

    @Test
    void aFileIsReadAsItWasWrittenOrRefused() {
        Fuzz.run("configuration files", new Files(), 15_000);
    }
}
