/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;

/** A cluster's state file is read or refused, and nothing else. */
final class StateFuzzTest {
    @TempDir
    private Path folder;

    private static final class States implements Target {
        private final StateFile file;

        States(Path folder) {
            file = new StateFile(folder);
        }

        @Override
        public Sample sample(SplittableRandom random) {
            ClusterOptions options = ClusterOptions.builder()
                    .nodesPerDc(random.nextInt(1, 4))
                    .lossFraction(random.nextInt(5) / 4.0)
                    .build();
            NodeSpec node = new NodeSpec("eu-1", "eu", "127.0.0.1", random.nextLong());
            ClusterState state = new ClusterState(ClusterState.VERSION, "c", options, "secret", List.of())
                    .withNode(node)
                    .withProcess("eu-1", random.nextBoolean() ? null : new NodeProcess(7, "8@b"));
            file.write(state);
            try {
                return new Sample(Files.readAllBytes(file.path()), state);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public ClusterState decode(byte[] input) throws IOException {
            Files.write(file.path(), input);
            return file.read();
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof ClusterException;
        }

        @Override
        public List<String> words() {
            return List.of(
                    "null", "{", "}", "[", "]", "\"", ",", ":", "1e999", "NaN", "-1", "true", "\\u0000", "{}", "[]");
        }
    }

    @Test
    void aStateFileIsReadAsItWasWrittenOrRefused() {
        Fuzz.run("state files", new States(folder), 1_000);
    }
}
