/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The handle on a running cluster's emulated network. A change is written to one file that every node reads ten times a
 * second. Thread-safe, also against other processes.
 */
public final class Wan {
    private final Path file;

    public Wan(Path file) {
        this.file = file;
    }

    /** The file the nodes read. */
    public Path file() {
        return file;
    }

    public WanMatrix matrix() {
        Properties read = new Properties();
        try {
            if (Files.exists(file)) {
                read.load(new StringReader(Files.readString(file)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file + ": " + e.getMessage(), e);
        }
        Map<String, String> settings = new TreeMap<>();
        read.forEach((key, value) -> settings.put((String) key, (String) value));
        return WanMatrix.of(settings);
    }

    /** Applies the change to what is in force; nodes see all of it at once, within about 100 ms. */
    public WanMatrix change(UnaryOperator<WanMatrix> change) {
        return AtomicFile.locked(file, () -> {
            WanMatrix changed = change.apply(matrix());
            write(changed);
            return changed;
        });
    }

    void write(WanMatrix matrix) {
        StringBuilder text =
                new StringBuilder("# Written by ./meteor cluster wan; the nodes follow changes at once.\n");
        matrix.settings()
                .forEach((key, value) ->
                        text.append(key).append('=').append(value).append('\n'));
        AtomicFile.write(file, text.toString());
    }
}
