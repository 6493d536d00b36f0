/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * Compactions whose end did not reach the platter, and with whose logs Cassandra does not start until an operator
 * helps.
 *
 * <ul>
 *   <li>Cassandra forces each record of such a log before the bytes are handed to the file (CASSANDRA-21673). So the
 *       last one, {@code COMMIT}, is not on the platter, while the deletions that follow it may be ("Some old files are
 *       missing but the txn log is still there and not completed"). That old files are gone shows that the compaction
 *       was committed: they go only then.
 *   <li>Tables of {@code system_schema} it opens before it looks after what their compactions have left. A component
 *       that was not forced, the summary, is made anew then, and the file is not what the log says ("Unexpected files
 *       detected for sstable"). There everything that such a log is about is brought to its end.
 * </ul>
 */
final class PowerCompactions {
    private static final Pattern RECORD = Pattern.compile("(ADD|REMOVE|COMMIT|ABORT):\\[(.*),(\\d+),(\\d+)]\\[\\d+]");

    private PowerCompactions() {}

    /** Does what the operator does: completes them, or takes them back; returns how many there were. */
    static int mend(Path data) throws IOException {
        List<Path> logs;
        if (!Files.isDirectory(data)) {
            return 0;
        }
        try (Stream<Path> files = Files.walk(data)) {
            logs = files.filter(file -> file.getFileName().toString().matches("nb_txn_.*\\.log"))
                    .toList();
        }
        int mended = 0;
        for (Path log : logs) {
            List<String> records = Files.readAllLines(log);
            boolean committed = has(records, "COMMIT") || oldFilesAreMissing(records);
            if (log.toString().contains("/system_schema/")) {
                for (Path file : filesOf(records, committed ? "REMOVE" : "ADD")) {
                    Files.delete(file);
                }
                Files.delete(log);
                mended++;
            } else if (committed && !has(records, "COMMIT")) {
                String commit = record("COMMIT", "", 0, 0) + System.lineSeparator();
                Files.writeString(log, commit, StandardOpenOption.APPEND, StandardOpenOption.SYNC);
                mended++;
            }
        }
        return mended;
    }

    private static boolean has(List<String> records, String type) {
        return !records(records, type).isEmpty();
    }

    private static boolean oldFilesAreMissing(List<String> records) throws IOException {
        for (Matcher each : records(records, "REMOVE")) {
            if (files(each.group(2)).size() < Integer.parseInt(each.group(4))) {
                return true;
            }
        }
        return false;
    }

    private static List<Path> filesOf(List<String> records, String type) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Matcher each : records(records, type)) {
            files.addAll(files(each.group(2)));
        }
        return files;
    }

    private static List<Matcher> records(List<String> records, String type) {
        return records.stream()
                .map(RECORD::matcher)
                .filter(each -> each.matches() && each.group(1).equals(type))
                .toList();
    }

    private static List<Path> files(String prefix) throws IOException {
        Path first = Path.of(prefix);
        try (Stream<Path> files = Files.list(first.resolveSibling("."))) {
            return files.filter(file -> file.getFileName()
                            .toString()
                            .startsWith(first.getFileName().toString()))
                    .toList();
        }
    }

    /** As Cassandra writes it, with the checksum that it looks for; of an end it takes the time for 0. */
    static String record(String type, String path, long millis, int files) {
        CRC32 checksum = new CRC32();
        checksum.update(path.getBytes(UTF_8));
        checksum.update(type.getBytes(UTF_8));
        checksum.update(ByteBuffer.allocate(12)
                .putInt((int) millis)
                .putInt((int) (millis >>> 32))
                .putInt(files)
                .flip());
        return type + ":[" + path + "," + millis + "," + files + "][" + checksum.getValue() + "]";
    }
}
