/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.wan;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows a network file (see {@link WanMatrix}) and hands on its content whenever it changes, looking ten times a
 * second on a daemon thread of its own. A file that makes no sense gives one warning per change, and what was in force
 * stays; a file that is not there is an empty one. Writers should write elsewhere and rename, so that no half of a file
 * is seen.
 */
public final class WanFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WanFile.class);
    private static final long POLL_MILLIS = 100;
    private static final long MAX_BYTES = 1 << 20;

    private final Path path;
    private final Consumer<WanMatrix> listener;
    private final AtomicLong rejected = new AtomicLong();
    private final Thread thread;
    private volatile boolean closed;
    // The following are touched by the constructor, and then by the thread alone.
    private byte[] content = {};
    private @Nullable FileTime modified;
    private long size = -1;
    private String lastTrouble = "";

    /** Reads the file once, before this returns, and then follows it. */
    public WanFile(Path path, Consumer<WanMatrix> listener) {
        this.path = path;
        this.listener = listener;
        this.thread = new Thread(this::follow, "meteorshower-wan-file");
        thread.setDaemon(true);
        look();
        thread.start();
    }

    /** How often a content was refused since the start. */
    public long rejected() {
        return rejected.get();
    }

    private void follow() {
        while (!closed) {
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
            look();
        }
    }

    private void look() {
        try {
            byte[] read = readIfChanged();
            if (read != null && !Arrays.equals(read, content)) {
                content = read;
                listener.accept(WanMatrix.parse(
                        new String(read, StandardCharsets.UTF_8).lines().toList()));
                lastTrouble = "";
                LOG.info("Following the emulated network of {}", path);
            }
        } catch (IOException | WanFormatException | RuntimeException e) {
            String trouble = e.getMessage() == null ? e.toString() : e.getMessage();
            if (!trouble.equals(lastTrouble)) {
                lastTrouble = trouble;
                rejected.incrementAndGet();
                LOG.warn("{}: {}. The emulated network stays as it was; correct the file.", path, trouble);
            }
        }
    }

    /** Returns null if nothing points to a change. */
    private byte @Nullable [] readIfChanged() throws IOException {
        BasicFileAttributes attributes;
        try {
            attributes = Files.readAttributes(path, BasicFileAttributes.class);
        } catch (NoSuchFileException e) {
            modified = null;
            size = -1;
            return new byte[0];
        }
        // Two changes within the resolution of file times look alike, so a young file is read again.
        boolean young =
                System.currentTimeMillis() - attributes.lastModifiedTime().toMillis() < 2_000;
        if (!young && attributes.size() == size && attributes.lastModifiedTime().equals(modified)) {
            return null;
        }
        if (attributes.size() > MAX_BYTES) {
            throw new IOException("it has " + attributes.size() + " bytes, more than the " + MAX_BYTES + " allowed");
        }
        byte[] read = Files.readAllBytes(path);
        modified = attributes.lastModifiedTime();
        size = attributes.size();
        return read;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        try {
            thread.join(1_000);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
