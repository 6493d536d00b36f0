/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NodeCommandTest {
    private static final Path PLUGIN = Path.of("/jars/plugin.jar");

    private final NodeFolder folder = new NodeFolder(Path.of("/clusters/eu-1"));

    @Test
    void thePluginIsOneAgentWithOneSettingAndComesLastOnTheClassPath() {
        List<String> command =
                command(Optional.of(PLUGIN), ClusterOptions.builder().build());
        assertThat(command)
                .contains(
                        "-javaagent:/jars/plugin.jar",
                        "-Dmeteorshower.config=/clusters/eu-1/conf/meteorshower.yaml",
                        "/jars/a.jar:/jars/b.jar:/jars/plugin.jar");
    }

    @Test
    void withoutThePluginNothingOfOursIsInTheNode() {
        List<String> command =
                command(Optional.empty(), ClusterOptions.builder().build());
        assertThat(command).noneMatch(word -> word.contains("meteorshower") || word.startsWith("-javaagent"));
    }

    @Test
    void aNodeRunsOnACopyOfThePluginThatNoBuildReplaces(@TempDir Path parent) throws IOException {
        Path built = Files.writeString(parent.resolve("built.jar"), "old");
        NodeFolder own = new NodeFolder(
                Files.createDirectories(parent.resolve("eu-1/conf")).getParent());
        NodeCommand command =
                new NodeCommand(Path.of("/jdk/bin/java"), NodeSoftware.cassandra(List.of()), Optional.of(built));
        Path copy = command.withOwnPlugin(own).plugin().orElseThrow();
        Files.writeString(built, "new");
        assertThat(copy).startsWith(own.root()).hasContent("old");
        assertThat(command.withOwnPlugin(own).plugin().orElseThrow()).hasContent("new");
    }

    @Test
    void aUsersJvmOptionsComeAfterOursAndSoWin() {
        List<String> command = command(
                Optional.empty(),
                ClusterOptions.builder()
                        .jvmOptions(List.of("-XX:TieredStopAtLevel=4"))
                        .build());
        assertThat(command.indexOf("-XX:TieredStopAtLevel=4"))
                .isGreaterThan(command.indexOf("-XX:TieredStopAtLevel=1"));
    }

    private List<String> command(Optional<Path> plugin, ClusterOptions options) {
        return new NodeCommand(
                        Path.of("/jdk/bin/java"),
                        NodeSoftware.cassandra(List.of(Path.of("/jars/a.jar"), Path.of("/jars/b.jar"))),
                        plugin)
                .of(folder, options, List.of());
    }
}
