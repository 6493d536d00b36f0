/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Removing folders that this tool made. Symbolic links are removed, never followed. */
final class Folders {
    private Folders() {}

    static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try {
            List<Path> deepestFirst;
            try (Stream<Path> walk = Files.walk(folder)) {
                deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
            }
            for (Path path : deepestFirst) {
                Files.deleteIfExists(path);
            }
        } catch (NoSuchFileException e) {
            // Somebody else deletes too, or a dying process did; what is gone is gone.
        } catch (IOException | UncheckedIOException e) {
            throw new ClusterException("cannot delete " + folder + ": " + e.getMessage(), e);
        }
    }

    static boolean isEmptyOrMissing(Path folder) {
        if (!Files.isDirectory(folder)) {
            return !Files.exists(folder);
        }
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.findAny().isEmpty();
        } catch (IOException e) {
            throw new ClusterException("cannot list " + folder + ": " + e.getMessage(), e);
        }
    }
}
