/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture.size;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** What a node's files take. Bytes. Immutable. */
record DiskUse(long journal, long transactionLog, long commitLog) {
    private static final String LOG_KEYSPACES = "meteorshower_transactions";

    /** @param data the node's folder of data */
    static DiskUse of(Path data) {
        long log = 0;
        try (Stream<Path> keyspaces = Files.list(data.resolve("data"))) {
            for (Path keyspace : keyspaces.toList()) {
                log += keyspace.getFileName().toString().startsWith(LOG_KEYSPACES) ? bytes(keyspace) : 0;
            }
        } catch (IOException | UncheckedIOException e) {
            log = 0; // it is made or deleted just now
        }
        return new DiskUse(bytes(data.resolve("meteorshower")), log, bytes(data.resolve("commitlog")));
    }

    private static long bytes(Path folder) {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                bytes += sizeOf(file);
            }
        } catch (IOException | UncheckedIOException e) {
            return bytes; // files come and go under it
        }
        return bytes;
    }

    private static long sizeOf(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            return 0;
        }
    }
}
