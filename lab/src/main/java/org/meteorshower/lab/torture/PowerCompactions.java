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
import java.util.Set;
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
 *   <li>Of {@code system_schema} it opens tables before it looks after their unfinished compactions. A component that
 *       was not forced, the summary, is made anew then, and the file is not what the log says ("Unexpected files
 *       detected for sstable").
 * </ul>
 */
final class PowerCompactions {
    private static final Pattern RECORD = Pattern.compile("(ADD|REMOVE|COMMIT|ABORT):\\[(.*),(\\d+),(\\d+)]\\[\\d+]");

    private static final Set<String> ENDS = Set.of("COMMIT", "ABORT");

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
            if (hasEnded(records)) {
                continue;
            }
            if (oldFilesAreMissing(records)) {
                String commit =
                        record("COMMIT", "", Files.getLastModifiedTime(log).toMillis(), 0) + System.lineSeparator();
                Files.writeString(log, commit, StandardOpenOption.APPEND, StandardOpenOption.SYNC);
                mended++;
            } else if (log.toString().contains("/system_schema/")) {
                for (Path file : added(records)) {
                    Files.delete(file);
                }
                Files.delete(log);
                mended++;
            }
        }
        return mended;
    }

    private static boolean hasEnded(List<String> records) {
        return records.stream().map(RECORD::matcher).anyMatch(each -> !each.matches() || ENDS.contains(each.group(1)));
    }

    private static boolean oldFilesAreMissing(List<String> records) throws IOException {
        for (Matcher each : records(records, "REMOVE")) {
            if (files(each.group(2)).size() < Integer.parseInt(each.group(4))) {
                return true;
            }
        }
        return false;
    }

    private static List<Path> added(List<String> records) throws IOException {
        List<Path> files = new ArrayList<>();
        for (Matcher each : records(records, "ADD")) {
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

    /** As Cassandra writes it, with the checksum that it looks for. */
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
