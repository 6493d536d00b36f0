/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FoldersTest {
    @TempDir
    private Path parent;

    @Test
    void aFolderIsDeletedWithAllThatIsInItButNotWhatLinksPointTo() throws Exception {
        Path elsewhere = Files.createDirectories(parent.resolve("elsewhere"));
        Files.writeString(elsewhere.resolve("precious"), "x");
        Path folder = Files.createDirectories(parent.resolve("cluster/nodes/eu-1"));
        Files.createSymbolicLink(folder.resolve("link"), elsewhere);
        Folders.delete(parent.resolve("cluster"));
        assertThat(parent.resolve("cluster")).doesNotExist();
        assertThat(elsewhere.resolve("precious")).exists();
    }

    @Test
    void whatIsMissingNeedsNoDeleting() {
        Folders.delete(parent.resolve("none"));
        assertThat(Folders.isEmptyOrMissing(parent.resolve("none"))).isTrue();
    }
}
