/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.bench.plan;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The plans that come with the tool, and those in files. */
public final class Presets {
    public static final List<String> NAMES =
            List.of("quick", "claims", "thesis", "overhead", "curves", "scale", "leases", "transactions", "tpcc");

    private Presets() {}

    /** Throws {@link PlanException} that lists the presets. */
    public static BenchPlan preset(String name) {
        return PlanReader.read(name + ".yaml", text(name));
    }

    /** A preset as its file has it. */
    public static String text(String name) {
        if (!NAMES.contains(name)) {
            throw new PlanException("no plan is called '" + name + "'; there are " + String.join(", ", NAMES)
                    + ", or one of your own: --plan FILE");
        }
        try (InputStream in = Presets.class.getResourceAsStream(name + ".yaml")) {
            if (in == null) {
                throw new IllegalStateException("the plan " + name + ".yaml is missing from the tool's jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Throws {@link PlanException} where the file is unreadable or no plan. */
    public static BenchPlan file(Path file) {
        try {
            return PlanReader.read(file.toString(), Files.readString(file));
        } catch (IOException e) {
            throw new PlanException(
                    "--plan: cannot read " + file + " (" + e.getClass().getSimpleName()
                            + "); give a YAML file, for an example see ./meteor bench --show quick");
        }
    }
}
