/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.cassandra.service.StorageService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells supervisors outside of the JVM, such as a container's health check, how this node does: a file that is written
 * anew every second while the node lives, so that an old one means a node that stands still. Its first line is
 * {@code served} or {@code not served}; the others say why. Used by one thread.
 *
 * <p>A file and no port or JMX bean: to read it takes neither a JVM nor a password, and it cannot be read from outside.
 */
public final class HealthFile {
    private static final Logger log = LoggerFactory.getLogger(HealthFile.class);

    private static final String PROPERTY = "meteorshower.health.file";

    /** How Cassandra does at this node. */
    interface Cassandra {
        /** {@code NORMAL} when it has joined the ring. */
        String mode();

        boolean takesClients();
    }

    private final Path file;
    private final Cassandra cassandra;
    private final Supplier<Map<String, String>> notServed;
    private boolean failed;

    HealthFile(Path file, Cassandra cassandra, Supplier<Map<String, String>> notServed) {
        this.file = file;
        this.cassandra = cassandra;
        this.notServed = notServed;
    }

    /**
     * Null unless {@code -Dmeteorshower.health.file} names a file.
     *
     * @param notServed the enabled tables that this node does not serve, and why
     */
    public static @Nullable HealthFile ifWanted(Supplier<Map<String, String>> notServed) {
        String path = System.getProperty(PROPERTY);
        return path == null ? null : new HealthFile(Path.of(path), new ThisNode(), notServed);
    }

    /** Never throws: a file that cannot be written goes stale, which is seen, and is logged once. */
    public void write() {
        try {
            Path written = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(written, text());
            Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
            failed = false;
        } catch (IOException | RuntimeException e) {
            if (!failed) {
                log.warn("MeteorShower: cannot write {}, which -D{} asks for", file, PROPERTY, e);
            }
            failed = true;
        }
    }

    private String text() {
        Map<String, String> reasons = new TreeMap<>();
        if (!cassandra.mode().equals("NORMAL")) {
            reasons.put("Cassandra", "this node's mode is " + cassandra.mode() + ", not NORMAL");
        } else if (!cassandra.takesClients()) {
            reasons.put("Cassandra", "the native transport is not running");
        }
        reasons.putAll(notServed.get());
        StringBuilder text = new StringBuilder(reasons.isEmpty() ? "served\n" : "not served\n");
        reasons.forEach(
                (what, reason) -> text.append(what).append(": ").append(reason).append('\n'));
        return text.toString();
    }

    private static final class ThisNode implements Cassandra {
        @Override
        public String mode() {
            return StorageService.instance.getOperationMode();
        }

        @Override
        public boolean takesClients() {
            return StorageService.instance.isNativeTransportRunning();
        }
    }
}
