/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.checker;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;

/** A file of history is read or refused with file, line and reason, and nothing else. */
class HistoryFuzzTest {
    private static final class Histories implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            List<Operation> operations = new ArrayList<>();
            long nanos = 0;
            for (int i = random.nextInt(1, 8); i > 0; i--) {
                operations.add(operation(random, i, nanos));
                nanos += 20;
            }
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (HistoryWriter writer = new HistoryWriter(out)) {
                for (Operation operation : operations) {
                    writer.append(operation);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return new Sample(out.toByteArray(), operations);
        }

        private static Operation operation(SplittableRandom random, int number, long nanos) {
            String session = "s" + random.nextInt(3);
            String key = "k\u00e9y" + random.nextInt(2);
            return switch (random.nextInt(4)) {
                case 0 -> Operation.read(session, key, random.nextBoolean() ? null : "v", nanos, nanos + 5);
                case 1 -> Operation.failedWrite(session, key, "v" + number, nanos, nanos + 5);
                default ->
                    Operation.write(session, key, "v\"\n" + number, nanos, nanos + 10, random.nextLong(1L << 60));
            };
        }

        @Override
        public History decode(byte[] input) throws IOException, BadHistoryException {
            return HistoryReader.read(new ByteArrayInputStream(input), "fuzzed");
        }

        @Override
        public Object view(Object decoded) {
            List<Operation> operations = new ArrayList<>();
            History history = (History) decoded;
            for (int i = 0; i < history.size(); i++) {
                operations.add(history.get(i));
            }
            return operations;
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof BadHistoryException;
        }

        @Override
        public List<String> words() {
            return List.of(
                    "{",
                    "}",
                    "[",
                    "]",
                    "\"",
                    ":",
                    ",",
                    "\n",
                    "null",
                    "true",
                    "1e400",
                    "-0",
                    "\\u0000",
                    "\\ud800",
                    "\"x_\":",
                    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
                    "\"version\":",
                    "\"end_ns\":",
                    "\ufeff",
                    "1.5",
                    "99999999999999999999999999999999999999999999");
        }
    }

    @Test
    void aHistoryIsReadAsItWasWrittenOrRefused() {
        Fuzz.run("histories", new Histories(), 10_000);
    }
}
