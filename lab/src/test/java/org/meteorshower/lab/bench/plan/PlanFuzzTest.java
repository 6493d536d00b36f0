/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.meteorshower.fuzzing.Fuzz;
import org.meteorshower.fuzzing.Target;

/** A benchmark's plan is read or refused, and nothing else. */
final class PlanFuzzTest {
    private static final class Plans implements Target {
        @Override
        public Sample sample(SplittableRandom random) {
            int seconds = random.nextInt(1, 3_600);
            int repeats = random.nextInt(1, 5);
            String text = "# a plan\nseconds: " + seconds + "\nrepeats: " + repeats
                    + "\nsystems: [cassandra-quorum, {name: five, client: meteorshower, mode: \"bounded:5000\", write: one,"
                    + " table: w=one}]\nnetworks:\n  - delay: [10, 20, 30]\n  - {name: near, delay: 0, systems:"
                    + " [cassandra-quorum], plugin: no}\nworkloads:\n  - {name: all, rate: 100, reads: 0.9}\n"
                    + (random.nextBoolean() ? "  - {name: full, rate: closed, networks: [near]}\n" : "");
            return Sample.text(
                    text,
                    seconds + " " + repeats + " "
                            + PlanReader.read("p.yaml", text).runs());
        }

        @Override
        public BenchPlan decode(byte[] input) {
            return PlanReader.read("p.yaml", new String(input, StandardCharsets.UTF_8));
        }

        @Override
        public Object view(Object decoded) {
            BenchPlan plan = (BenchPlan) decoded;
            return plan.seconds() + " " + plan.repeats() + " " + plan.runs();
        }

        @Override
        public boolean declares(Throwable thrown) {
            return thrown instanceof PlanException;
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
                    "!!int ",
                    "~",
                    "[",
                    "]",
                    "{",
                    "}",
                    "\"\\0\"",
                    "|\n",
                    "---\n",
                    "%YAML 9.9\n",
                    "\t",
                    "\u0000",
                    ".nan",
                    "NaN",
                    "Infinity",
                    "1e999",
                    "0x1p3",
                    "2147483648",
                    "jvm: [-Xmx1g]\n",
                    "heap: 65536",
                    "nodes-per-dc: 24",
                    "dcs: [a, a]",
                    "jitter: 60000");
        }

        /** The parser of YAML keeps tables for each text. */
        @Override
        public int bytesPerByte() {
            return 2_048;
        }
    }

    @Test
    void aPlanIsReadAsItWasWrittenOrRefused() {
        Fuzz.run("benchmark plans", new Plans(), 2_000);
    }
}
