/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NodeFilesTest {
    private static final NodeSpec NODE = new NodeSpec("eu-1", "eu", "127.0.0.9", -42);

    @TempDir
    private Path root;

    @Test
    void aNodeIsConfiguredInItsOwnFolderOnly() throws Exception {
        NodeFolder folder = new NodeFolder(root.resolve("eu-1"));
        files(ClusterOptions.builder().build()).write(NODE, folder, "127.0.0.1");
        assertThat(Files.readString(folder.rackProperties())).contains("dc=eu");
        assertThat(Files.readString(folder.cassandraYaml()))
                .contains(
                        "initial_token: \"-42\"",
                        "listen_address: 127.0.0.9",
                        "rpc_address: 127.0.0.9",
                        "seeds: \"127.0.0.1\"",
                        "commitlog_sync: batch");
        assertThat(Files.readString(folder.logback()))
                .contains(folder.systemLog().toString());
    }

    @Test
    void thePluginIsToldItsAddressSecretAndNetworkFile() {
        assertThat(files(ClusterOptions.builder().build()).meteorshowerYaml(NODE))
                .isEqualTo("""
                        transport:
                          address: 127.0.0.9
                          port: 7600
                        token_secret: "c0ffee"
                        wan:
                          file: "/somewhere/wan.properties"
                        transactions:
                          data_centres: [eu, us, asia]
                          replicas: 1
                          suspicion_ms: 1000
                        """);
    }

    @Test
    void pluginOptionsNestByDots() {
        ClusterOptions options = ClusterOptions.builder()
                .pluginOptions(Map.of("transport.port", "7700", "status_interval", "20ms"))
                .build();
        assertThat(files(options).meteorshowerYaml(NODE))
                .contains("transport:\n  address: 127.0.0.9\n  port: 7700\n", "status_interval: 20ms\n");
    }

    @Test
    void aPluginOptionUnderAValueIsRefused() {
        ClusterOptions options = ClusterOptions.builder()
                .pluginOptions(Map.of("token_secret.x", "1"))
                .build();
        assertThatThrownBy(() -> files(options).meteorshowerYaml(NODE))
                .hasMessageContaining("nests under token_secret");
    }

    @Test
    void cassandraOptionsWinOverOurs() {
        ClusterOptions options = ClusterOptions.builder()
                .cassandraOptions(
                        Map.of("concurrent_reads", "32", "server_encryption_options", "{internode_encryption: all}"))
                .build();
        assertThat(files(options).cassandraYaml(NODE, "127.0.0.1"))
                .contains("concurrent_reads: 32\n", "server_encryption_options: {internode_encryption: all}\n")
                .doesNotContain("concurrent_reads: 8");
    }

    @Test
    void withoutThePluginThereIsNoFileForIt() {
        NodeFolder folder = new NodeFolder(root.resolve("eu-1"));
        files(ClusterOptions.builder().plugin(false).build()).write(NODE, folder, "127.0.0.1");
        assertThat(folder.meteorshowerYaml()).doesNotExist();
    }

    private static NodeFiles files(ClusterOptions options) {
        return new NodeFiles("test", options, "c0ffee", Path.of("/somewhere/wan.properties"));
    }
}
