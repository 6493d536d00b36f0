/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.wan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WanFileTest {
    @TempDir
    private Path folder;

    private volatile WanMatrix matrix = WanMatrix.NONE;
    private WanFile file;

    @AfterEach
    void close() {
        if (file != null) {
            file.close();
        }
    }

    @Test
    void aChangeIsInForceSoonAndABadOneChangesNothing() throws Exception {
        Path path = folder.resolve("wan.properties");
        Files.writeString(path, "delay.eu.us=50\n");
        file = new WanFile(path, m -> matrix = m);
        assertThat(delayNanos()).isEqualTo(50_000_000);

        // The same length, maybe within the same tick of the file's time.
        Files.writeString(path, "delay.eu.us=70\n");
        await(() -> delayNanos() == 70_000_000);

        Files.writeString(path, "delay.eu.us=80\ndelay.us.eu=oops\n");
        await(() -> file.rejected() == 1);
        assertThat(delayNanos()).isEqualTo(70_000_000);

        Files.writeString(path, "delay.eu.us=90\n");
        await(() -> delayNanos() == 90_000_000);

        Files.delete(path);
        await(() -> delayNanos() == 0);
    }

    @Test
    void aFileThatIsNotThereYetIsEmpty() throws Exception {
        Path path = folder.resolve("later.properties");
        file = new WanFile(path, m -> matrix = m);
        assertThat(matrix.isOpen()).isTrue();
        Files.writeString(path, "cut.eu.us=true\n");
        await(() -> matrix.link("eu", "us").cut());
    }

    @Test
    void aHugeFileIsRefusedUnread() throws IOException {
        Path path = folder.resolve("huge.properties");
        Files.writeString(path, "#".repeat(1 << 21));
        file = new WanFile(path, m -> matrix = m);
        assertThat(file.rejected()).isEqualTo(1);
    }

    private long delayNanos() {
        return matrix.link("eu", "us").delayNanos();
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        for (int i = 0; i < 3_000 && !condition.getAsBoolean(); i++) {
            Thread.sleep(10);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }
}
