/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the text survives the loss of power is for {@code ./meteor torture power} to show. */
class ForcedFileTest {
    @Test
    void theTextIsThereAndNothingElse(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("a");
        ForcedFile.write(file, "longer than the next");
        ForcedFile.write(file, "short ä");

        assertThat(file).hasContent("short ä");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void whatWasLeftUnfinishedIsWrittenOver(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("a" + ForcedFile.UNFINISHED), "half of a text that was longer");
        ForcedFile.write(folder.resolve("a"), "whole");

        assertThat(folder.resolve("a")).hasContent("whole");
    }

    @Test
    void aMarkIsAnEmptyFileHoweverOftenItIsMade(@TempDir Path folder) throws IOException {
        ForcedFile.mark(folder.resolve("a"));
        ForcedFile.mark(folder.resolve("a"));

        assertThat(folder.resolve("a")).isEmptyFile();
    }
}
