/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** What is written to a log from a moment on. The file may be missing yet, or be rolled. Not thread-safe. */
final class FreshLines {
    private static final int MOST_AT_ONCE = 1 << 20;

    private final Path log;
    private long position;

    /** Follows the log from its present end. */
    FreshLines(Path log) {
        this.log = log;
        position = size(log);
    }

    /** The complete lines that came since the last call, with their ends. */
    String readOn() {
        long size = size(log);
        if (size < position) {
            position = 0; // the log was rolled
        }
        if (size == position) {
            return "";
        }
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            file.seek(position);
            byte[] bytes = new byte[(int) Math.min(size - position, MOST_AT_ONCE)];
            file.readFully(bytes);
            String text = new String(bytes, StandardCharsets.UTF_8);
            int end = text.lastIndexOf('\n') + 1;
            String lines = text.substring(0, end);
            position += lines.getBytes(StandardCharsets.UTF_8).length;
            return lines;
        } catch (IOException e) {
            return "";
        }
    }

    private static long size(Path file) {
        try {
            return Files.exists(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            return 0;
        }
    }
}
