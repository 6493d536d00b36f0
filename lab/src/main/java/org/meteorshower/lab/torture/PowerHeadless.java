/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Segments of Cassandra's commit log, and files of hints, that were begun and never forced. Cassandra makes a segment
 * ahead of time, and writes its header; where the power goes before it is forced for the first time the file is there,
 * with zeroes, and Cassandra does not start ("Could not read commit log descriptor", "Hints Descriptor CRC Mismatch")
 * until an operator takes the file away. Forcing one forces its header, so nothing that was forced is in such a file.
 */
final class PowerHeadless {
    private static final int HEADER_BYTES = 512;

    private PowerHeadless() {}

    /** Does what the operator does; returns how many there were. */
    static int remove(Path disk) throws IOException {
        return remove(disk.resolve("commitlog"), "CommitLog-*.log") + remove(disk.resolve("hints"), "*.hints");
    }

    private static int remove(Path folder, String names) throws IOException {
        if (!Files.isDirectory(folder)) {
            return 0;
        }
        int removed = 0;
        try (DirectoryStream<Path> segments = Files.newDirectoryStream(folder, names)) {
            for (Path segment : segments) {
                if (isHeadless(segment)) {
                    Files.delete(segment);
                    removed++;
                }
            }
        }
        return removed;
    }

    private static boolean isHeadless(Path segment) throws IOException {
        try (InputStream bytes = Files.newInputStream(segment)) {
            for (byte each : bytes.readNBytes(HEADER_BYTES)) {
                if (each != 0) {
                    return false;
                }
            }
            return true;
        }
    }
}
