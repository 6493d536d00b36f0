/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The names of segment files, and making, finding and mapping them. */
final class SegmentFiles {
    private static final Pattern SEGMENT = Pattern.compile("segment-(\\d{16})\\.journal");
    private static final Pattern SPARE = Pattern.compile("spare-\\d+\\.tmp");
    private static final int BLOCK_BYTES = 1 << 20;

    private SegmentFiles() {}

    static Path segment(Path directory, long number) {
        return directory.resolve(String.format("segment-%016d.journal", number));
    }

    static Path spare(Path directory, long number) {
        return directory.resolve("spare-" + number + ".tmp");
    }

    static void deleteSpares(Path directory) throws IOException {
        for (Path file : list(directory)) {
            if (SPARE.matcher(file.getFileName().toString()).matches()) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Maps all segments, oldest first. */
    static List<Segment> open(Path directory) throws IOException {
        TreeMap<Long, Path> files = new TreeMap<>();
        for (Path file : list(directory)) {
            Matcher matcher = SEGMENT.matcher(file.getFileName().toString());
            if (matcher.matches()) {
                files.put(Long.parseLong(matcher.group(1)), file);
            }
        }
        List<Segment> segments = new ArrayList<>();
        for (var file : files.entrySet()) {
            if (!segments.isEmpty() && file.getKey() != segments.get(segments.size() - 1).number + 1) {
                throw new JournalDamagedException(
                        segment(directory, file.getKey() - 1), 0, "the file is missing, though later ones are there");
            }
            long bytes = Files.size(file.getValue());
            if (bytes < Segment.FIRST_OFFSET + Segment.END_BYTES || bytes > Integer.MAX_VALUE) {
                throw new JournalDamagedException(
                        file.getValue(), 0, "a file of " + bytes + " bytes was not written by this journal");
            }
            segments.add(new Segment(file.getKey(), file.getValue(), map(file.getValue(), bytes)));
        }
        return segments;
    }

    /**
     * Makes a file whose blocks are all allocated: a write to mapped memory cannot report that the disk is full.
     *
     * @param forced whether it has its whole length after a loss of power, too, when only its first pages were forced
     *     since
     */
    static MappedByteBuffer create(Path file, int bytes, boolean forced) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer zeroes = ByteBuffer.allocateDirect(Math.min(bytes, BLOCK_BYTES));
            for (long written = 0; written < bytes; ) {
                zeroes.clear().limit((int) Math.min(zeroes.capacity(), bytes - written));
                written += channel.write(zeroes);
            }
            if (forced) {
                channel.force(true);
            }
        } catch (IOException e) {
            Files.deleteIfExists(file);
            throw e;
        }
        return map(file, bytes);
    }

    /** Makes it where it is missing; then its name is on disk, too. */
    static void makeDirectory(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            Files.createDirectories(directory);
            Path parent = directory.toAbsolutePath().getParent();
            if (parent != null) {
                forceDirectory(parent);
            }
        }
    }

    static void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static MappedByteBuffer map(Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            return channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }
}
