/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.ycsb;

import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Properties;
import org.meteorshower.ycsb.MeteorShowerDb;

/** Workloads by name, as the bindings bring them along, or from a file of YCSB's. */
final class WorkloadFile {
    private WorkloadFile() {}

    /** Throws IllegalArgumentException where there is neither. */
    public static Properties read(String workload) {
        String name = workload.toLowerCase(Locale.ROOT);
        if (name.matches("workload[a-f]")) {
            name = name.substring("workload".length());
        }
        Properties properties = new Properties();
        try (InputStream known = name.matches("[a-z]+")
                ? MeteorShowerDb.class.getResourceAsStream("workloads/" + name + ".properties")
                : null) {
            if (known != null) {
                properties.load(known);
                return properties;
            }
            Path file = Path.of(workload);
            if (!Files.isRegularFile(file)) {
                throw new IllegalArgumentException("'" + workload + "' is no workload: name one of a, b, c, d, e, f,"
                        + " uniform, zipfian, or a file with a workload's properties");
            }
            try (Reader reader = Files.newBufferedReader(file)) {
                properties.load(reader);
            }
            return properties;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the workload " + workload + ": " + e.getMessage(), e);
        }
    }
}
