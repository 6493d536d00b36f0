/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.function.Supplier;

/** Whole-file changes that a reader sees complete or not at all, and that two writers do not mix. */
final class AtomicFile {
    /** File locks hold between processes only; within this one the class takes turns. */
    private static final Object TURN = new Object();

    private AtomicFile() {}

    /** Replaces the file's content; a crash leaves the old or the new one. */
    static void write(Path file, String content) {
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.createDirectories(parent(file));
            Files.writeString(temporary, content);
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** Runs a read-change-write of the file while no other process or thread does. Not reentrant. */
    static <T> T locked(Path file, Supplier<T> change) {
        Path lockFile = file.resolveSibling("." + file.getFileName() + ".lock");
        synchronized (TURN) {
            try {
                Files.createDirectories(parent(file));
                try (FileChannel channel =
                                FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                        FileLock lock = channel.lock()) {
                    if (!lock.isValid()) {
                        throw new IOException("the lock was lost");
                    }
                    return change.get();
                }
            } catch (IOException e) {
                throw new UncheckedIOException("cannot lock " + lockFile + ": " + e.getMessage(), e);
            }
        }
    }

    private static Path parent(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        if (parent == null) {
            throw new IllegalArgumentException(file + " has no folder");
        }
        return parent;
    }
}
