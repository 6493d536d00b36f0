/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The image's start script, in other folders and with a java that does nothing: what it makes of variables. */
@EnabledOnOs(OS.LINUX)
final class ImageStartTest {
    private static final Path SCRIPT = Path.of("..", "docker", "node", "bin", "start");

    @TempDir
    private Path folder;

    private record Ended(int code, String said) {}

    @BeforeEach
    void script() throws IOException {
        Files.createDirectory(folder.resolve("data"));
        Files.createDirectory(folder.resolve("bin"));
        executable("bin/java", "#!/bin/bash\necho started\n");
        executable(
                "start",
                Files.readString(SCRIPT)
                        .replace("/var/lib/cassandra", folder + "/data")
                        .replace("/dev/shm/meteorshower-health", folder + "/health"));
    }

    private void executable(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    }

    private Ended start(Map<String, String> variables) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(folder.resolve("start").toString()).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.matches("(CASSANDRA|METEORSHOWER)_.*"));
        builder.environment().put("PATH", folder + "/bin:" + System.getenv("PATH"));
        builder.environment().putAll(variables);
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), said);
    }

    private String plugin() throws IOException {
        return Files.readString(folder.resolve("data/conf/meteorshower.yaml"));
    }

    @Test
    void withoutVariablesTheNodeStartsAndNothingIsMeasuredOrCheckedBeyondTheDefaults() throws Exception {
        assertThat(start(Map.of()).said()).isEqualTo("started\n");

        assertThat(plugin()).contains("port: 7600").doesNotContain("metrics:", "online_check:", "secret");
    }

    @Test
    void theOnlineCheckersShareAndTheMetricsWithTheirSecretAreWrittenDown() throws Exception {
        Ended ended = start(Map.of(
                "METEORSHOWER_ONLINE_CHECK_SHARE", "0.01",
                "METEORSHOWER_METRICS_PORT", "9601",
                "METEORSHOWER_METRICS_SECRET", "it's sixteen or more"));

        assertThat(ended.said()).isEqualTo("started\n");
        assertThat(plugin())
                .contains("online_check:\n  share: 0.01\n")
                .contains("metrics:\n  port: 9601\n  address: 0.0.0.0\n  secret: 'it''s sixteen or more'\n");
    }

    @Test
    void theMetricsSecretMayComeFromAFileAndIsNotLeftInTheEnvironment() throws Exception {
        executable("bin/java", "#!/bin/bash\nenv | grep -c METEORSHOWER_METRICS_SECRET=\n");
        Path file = Files.writeString(folder.resolve("secret"), "0123456789abcdef\n");

        Ended ended =
                start(Map.of("METEORSHOWER_METRICS_PORT", "9601", "METEORSHOWER_METRICS_SECRET_FILE", file.toString()));

        assertThat(ended.said()).isEqualTo("0\n");
        assertThat(plugin()).contains("secret: '0123456789abcdef'");
    }

    @Test
    void metricsWithoutASecretAreRefused() throws Exception {
        Ended ended = start(Map.of("METEORSHOWER_METRICS_PORT", "9601"));

        assertThat(ended.code()).isEqualTo(78);
        assertThat(ended.said()).contains("METEORSHOWER_METRICS_SECRET is not", "openssl rand -hex 16");
    }

    @ParameterizedTest
    @CsvSource({"2, a number from 0", ".5, a number from 0", "all, a number from 0", "1e-3, a number from 0"})
    void aShareThatMakesNoSenseIsRefused(String share, String message) throws Exception {
        Ended ended = start(Map.of("METEORSHOWER_ONLINE_CHECK_SHARE", share));

        assertThat(ended.code()).isEqualTo(78);
        assertThat(ended.said()).contains("METEORSHOWER_ONLINE_CHECK_SHARE is '" + share + "'", message);
    }

    @Test
    void aMisspeltVariableIsNoSilentDefault() throws Exception {
        Ended ended = start(Map.of("METEORSHOWER_ONLINE_CHECKS_SHARE", "1"));

        assertThat(ended.code()).isEqualTo(78);
        assertThat(ended.said()).contains("there is no variable METEORSHOWER_ONLINE_CHECKS_SHARE");
    }
}
