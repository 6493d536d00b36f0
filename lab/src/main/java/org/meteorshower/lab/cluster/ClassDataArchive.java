/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * The classes of a Cassandra node, loaded and verified once and mapped by every later node: a third less time to start.
 * One archive per JVM and class path, made by a training run of a single plain node.
 */
final class ClassDataArchive {
    private final Path file;

    ClassDataArchive(Path cacheFolder, NodeCommand command) {
        String madeFor = System.getProperty("java.vm.version")
                + command.java()
                + command.software().jars();
        file = cacheFolder.resolve("cassandra-" + digest(madeFor) + ".jsa");
    }

    boolean exists() {
        return Files.isRegularFile(file);
    }

    /** JVM options that use the archive; none while there is none. */
    List<String> useOptions() {
        return exists()
                ? List.of("-XX:SharedArchiveFile=" + file, "-Xlog:cds=off", "-Xlog:cds+dynamic=off")
                : List.of();
    }

    /** JVM options that write an archive when the process ends orderly. */
    List<String> makeOptions() {
        return List.of("-XX:ArchiveClassesAtExit=" + unfinished(), "-Xlog:cds=off", "-Xlog:cds+dynamic=off");
    }

    /** To be called before a training run. */
    void prepare() {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.deleteIfExists(unfinished());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot prepare " + file + ": " + e.getMessage(), e);
        }
    }

    /** Takes what a training run wrote, if it wrote anything. */
    boolean adopt() {
        try {
            if (!Files.isRegularFile(unfinished())) {
                return false;
            }
            Files.move(unfinished(), file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private Path unfinished() {
        return file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid());
    }

    private static String digest(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
