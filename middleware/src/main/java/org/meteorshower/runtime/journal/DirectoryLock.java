/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.runtime.journal;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps a second journal, of this or another process, out of a directory. The kernel ends it with the process. */
final class DirectoryLock {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryLock.class);

    private final FileChannel channel;

    private DirectoryLock(FileChannel channel) {
        this.channel = channel;
    }

    static DirectoryLock take(Path directory) throws IOException {
        FileChannel channel =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        if (tryLock(channel) == null) {
            channel.close();
            throw new IOException("the journal directory " + directory
                    + " is in use by another process; end that one, or give each node a directory of its own");
        }
        return new DirectoryLock(channel);
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            LOG.warn("The lock of the journal directory could not be released: {}", e.toString());
        }
    }
}
