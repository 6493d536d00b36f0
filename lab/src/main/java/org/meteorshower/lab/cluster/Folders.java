/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Removing folders that this tool made. Symbolic links are removed, never followed. */
public final class Folders {
    private Folders() {}

    /** Does not mind files that vanish meanwhile, as a dying process's do. */
    public static void delete(Path folder) {
        try {
            Files.walkFileTree(folder, new Deletion());
        } catch (IOException e) {
            throw new ClusterException("cannot delete " + folder + ": " + e.getMessage(), e);
        }
    }

    /** What is in the folder and has such a name. */
    static void deleteThose(Path folder, String prefix) {
        try (Stream<Path> entries = Files.list(folder)) {
            entries.filter(entry -> entry.getFileName().toString().startsWith(prefix))
                    .forEach(Folders::delete);
        } catch (IOException e) {
            throw new ClusterException("cannot list " + folder + ": " + e.getMessage(), e);
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

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
            if (failure != null && !(failure instanceof NoSuchFileException)) {
                throw failure;
            }
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
