/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.ClusterOptions;

/** A node whose configuration makes no sense does not start, and the end of what it says tells why and what to do. */
final class ConfigurationIT {
    @TempDir
    private Path folder;

    @Test
    void anOptionThatMakesNoSenseIsNamedWithTheNearestOne() {
        refusesToStart(
                ClusterOptions.builder().pluginOptions(Map.of("dispatch_intervall_ms", "10")),
                "there is no option 'dispatch_intervall_ms'; the nearest one is 'dispatch_interval_ms'");
    }

    @Test
    void aConfigurationThatIsNotThereIsNoDefault() {
        refusesToStart(
                ClusterOptions.builder().jvmOptions(List.of("-Dmeteorshower.config=/nowhere/meteorshower.yaml")),
                "/nowhere/meteorshower.yaml, and there is no such file");
    }

    @Test
    void whereClientsMustLogInAndNoSecretSignsTheirTokensTheNodeDoesNotStart() {
        refusesToStart(
                ClusterOptions.builder()
                        .cassandraOptions(Map.of("authenticator", "PasswordAuthenticator"))
                        .pluginOptions(Map.of("token_secret", "")),
                "no token_secret is set, and clients must log in here",
                "openssl rand -hex 32");
    }

    @Test
    void anotherQueryHandlerIsNotPushedAside() {
        refusesToStart(
                ClusterOptions.builder()
                        .jvmOptions(List.of("-Dcassandra.custom_query_handler_class=org.example.Other")),
                "a node can have only one query handler");
    }

    @Test
    void aPortThatIsTakenIsNamed() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.9.255.1"))) {
            String port = Integer.toString(taken.getLocalPort());
            refusesToStart(
                    ClusterOptions.builder()
                            .pluginOptions(Map.of("transport.address", "127.9.255.1", "transport.port", port)),
                    "cannot listen on 127.9.255.1 port " + port,
                    "choose another with the option transport.port");
        }
    }

    private void refusesToStart(ClusterOptions.Builder options, String... message) {
        assertThatThrownBy(() -> TestCluster.start("ConfigurationIT", folder, options.dcs(List.of("eu")))
                        .close())
                .isInstanceOf(ClusterException.class)
                .satisfies(e -> assertThat(e.getMessage().replaceAll("\\s+", " "))
                        .contains("ended while it started")
                        .contains("MeteorShower: ")
                        .contains(message));
    }
}
