/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** A small file that survives the loss of power, as it was before or as it is after. */
public final class ForcedFile {
    /** What the name ends with of one that was not finished. */
    public static final String UNFINISHED = ".new";

    private ForcedFile() {}

    /**
     * Writes it anew. It is on disk when this returns: the text before the name, else an empty file could have the name
     * after a loss of power.
     */
    public static void write(Path file, String text) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + UNFINISHED);
        Files.writeString(
                unfinished,
                text,
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE,
                StandardOpenOption.SYNC);
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        forceNames(file);
    }

    /** An empty one whose name says it all; nothing changes where it is there. It is on disk when this returns. */
    public static void mark(Path file) throws IOException {
        try {
            Files.createFile(file);
        } catch (FileAlreadyExistsException e) {
            // Forced once more: whoever made it may not have come so far.
        }
        forceNames(file);
    }

    private static void forceNames(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
                channel.force(true);
            }
        }
    }
}
