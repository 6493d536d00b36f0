/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The disks as processes see them. Skipped, with the reason, where they cannot be mounted. */
final class PowerDisksIT {
    private static final List<String> NAMES = List.of("eu-1", "us-1");

    @BeforeEach
    void mountable() {
        PowerDisks.obstacle().ifPresent(reason -> abort(reason));
    }

    private static PowerDisks mount(Path folder) throws IOException {
        return PowerDisks.mount(folder.resolve("disks"), new PowerDisks.Kind(false, List.of()), NAMES);
    }

    private static void force(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    @Test
    void filesAreFiles(@TempDir Path folder) throws IOException {
        try (PowerDisks disks = mount(folder)) {
            Path top = disks.folder("eu-1");
            byte[] large = new byte[700_000];
            Arrays.fill(large, (byte) 7);
            Files.createDirectories(top.resolve("a/b"));
            Files.write(top.resolve("a/b/large"), large);
            Files.createLink(top.resolve("a/link"), top.resolve("a/b/large"));
            Files.move(top.resolve("a/b/large"), top.resolve("a/moved"));
            Files.delete(top.resolve("a/b"));

            assertThat(Files.readAllBytes(top.resolve("a/moved"))).isEqualTo(large);
            assertThat(Files.isSameFile(top.resolve("a/link"), top.resolve("a/moved")))
                    .isTrue();
            try (Stream<Path> files = Files.list(top.resolve("a"))) {
                assertThat(files.map(Path::getFileName).map(Path::toString)).containsOnly("link", "moved");
            }
        }
        assertThat(folder.resolve("disks")).doesNotExist();
    }

    @Test
    void whatWasNotForcedIsForgotten(@TempDir Path folder) throws IOException {
        try (PowerDisks disks = mount(folder)) {
            Path kept = disks.folder("eu-1").resolve("kept");
            Files.writeString(kept, "forced");
            force(kept);
            Files.writeString(kept, "not forced");
            Files.writeString(disks.folder("eu-1").resolve("gone"), "not forced");
            Files.writeString(disks.folder("us-1").resolve("other"), "not forced, and its power stays");

            disks.off(List.of("eu-1"));
            disks.killed(List.of("eu-1"));
            PowerDisks.Loss loss = disks.on("eu-1", 0, 1);

            assertThat(Files.readString(kept)).isEqualTo("forced");
            assertThat(disks.folder("eu-1").resolve("gone")).doesNotExist();
            assertThat(disks.folder("us-1").resolve("other")).hasContent("not forced, and its power stays");
            assertThat(loss.pages() + loss.changes()).isPositive();
        }
    }

    /** The kernel asks for the forcing after each such write. */
    @ParameterizedTest
    @EnumSource(names = {"SYNC", "DSYNC"})
    void writesThroughToThePlatter(StandardOpenOption how, @TempDir Path folder) throws IOException {
        try (PowerDisks disks = mount(folder)) {
            Path file = disks.folder("eu-1").resolve("log");
            Files.writeString(file, "one", StandardOpenOption.CREATE, StandardOpenOption.WRITE, how);
            Files.writeString(file, ", two", StandardOpenOption.APPEND, how);
            Files.writeString(file, ", three", StandardOpenOption.APPEND);

            disks.off(List.of("eu-1"));
            disks.killed(List.of("eu-1"));
            disks.on("eu-1", 0, 1);

            assertThat(file).hasContent("one, two");
        }
    }

    @Test
    void mappedFilesAreForcedToo(@TempDir Path folder) throws IOException {
        try (PowerDisks disks = mount(folder)) {
            Path file = disks.folder("eu-1").resolve("mapped");
            try (FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                MappedByteBuffer bytes = channel.map(FileChannel.MapMode.READ_WRITE, 0, 100_000);
                bytes.putLong(8, 1);
                bytes.force();
                bytes.putLong(8, 2);
                bytes.putLong(50_000, 2);
            }
            disks.off(List.of("eu-1"));
            disks.killed(List.of("eu-1"));
            disks.on("eu-1", 0, 1);

            byte[] left = Files.readAllBytes(file);
            assertThat(left).hasSize(100_000);
            assertThat(left[15]).isEqualTo((byte) 1);
            assertThat(left[50_007]).isZero();
        }
    }
}
