/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The last lines of a file that may be large or missing. */
public final class LogTail {
    private static final int BYTES_PER_LINE = 400;

    private LogTail() {}

    /** Up to so many last lines; none where the file cannot be read. */
    public static List<String> of(Path file, int lines) {
        if (!Files.isRegularFile(file)) {
            return List.of();
        }
        try (RandomAccessFile opened = new RandomAccessFile(file.toFile(), "r")) {
            long length = opened.length();
            int wanted = (int) Math.min(length, (long) lines * BYTES_PER_LINE);
            opened.seek(length - wanted);
            byte[] bytes = new byte[wanted];
            opened.readFully(bytes);
            List<String> all = new String(bytes, StandardCharsets.UTF_8).lines().toList();
            return all.subList(Math.max(0, all.size() - lines), all.size());
        } catch (IOException e) {
            return List.of();
        }
    }
}
