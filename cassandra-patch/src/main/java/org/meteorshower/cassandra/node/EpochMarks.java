/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.meteorshower.cassandra.tables.ForcedFile;

/**
 * What a node must not forget of epochs of tables over a restart: an empty file for each, beside the journal.
 * Thread-safe. All methods throw {@link UncheckedIOException} where the directory cannot be used.
 */
final class EpochMarks {
    private final Path directory;
    private final String prefix;
    private final Set<UUID> marked = ConcurrentHashMap.newKeySet();

    /** @param prefix of the files' names, for all marks of one meaning */
    EpochMarks(Path directory, String prefix) {
        this.directory = directory;
        this.prefix = prefix;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, prefix + "*")) {
            for (Path file : files) {
                marked.add(UUID.fromString(file.getFileName().toString().substring(prefix.length())));
            }
        } catch (IOException e) {
            throw unusable(e);
        }
    }

    boolean contains(UUID epoch) {
        return marked.contains(epoch);
    }

    Set<UUID> all() {
        return Set.copyOf(marked);
    }

    /** The mark is on disk when this returns. */
    void add(UUID epoch) {
        try {
            ForcedFile.mark(file(epoch));
        } catch (IOException e) {
            throw unusable(e);
        }
        marked.add(epoch);
    }

    /** Drops the marks of all other epochs. */
    void keepOnly(Collection<UUID> epochs) {
        for (UUID epoch : all()) {
            if (!epochs.contains(epoch)) {
                try {
                    Files.deleteIfExists(file(epoch));
                } catch (IOException e) {
                    throw unusable(e);
                }
                marked.remove(epoch);
            }
        }
    }

    private Path file(UUID epoch) {
        return directory.resolve(prefix + epoch);
    }

    private UncheckedIOException unusable(IOException e) {
        return new UncheckedIOException("MeteorShower: cannot use " + directory, e);
    }
}
