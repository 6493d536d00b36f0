/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.meteorshower.runtime.SafeCount;

/** A store's log, of numbers: on disk some milliseconds after something was put there. One thread of its own. */
final class StoreLog extends SafeCount {
    private static final long REST_MILLIS = 20;

    private final List<Long> found = new ArrayList<>();
    private final FileChannel file;

    StoreLog(Path path) throws IOException {
        if (Files.exists(path)) {
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path));
            while (bytes.remaining() >= Long.BYTES) {
                found.add(bytes.getLong()); // a hole reads as zeroes, which are no mutation's number
            }
        }
        file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        file.position(Files.size(path) / Long.BYTES * Long.BYTES);
        file.force(true);
        try (FileChannel folder = FileChannel.open(path.toAbsolutePath().getParent(), StandardOpenOption.READ)) {
            folder.force(true); // its name
        }
        Thread forcing = new Thread(this::force, "store-log");
        forcing.setDaemon(true);
        forcing.start();
    }

    /** What a start finds there. */
    List<Long> found() {
        return found;
    }

    void append(List<Long> numbers) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.size() * Long.BYTES);
        numbers.forEach(bytes::putLong);
        file.write(bytes.flip());
        numbers.forEach(number -> count());
    }

    private void force() {
        try {
            while (true) {
                Thread.sleep(REST_MILLIS);
                long until = written();
                file.force(false);
                nowSafe(until);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void tell(Runnable safer, Consumer<RuntimeException> failed) {}
}
