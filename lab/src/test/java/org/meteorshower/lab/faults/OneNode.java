/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.meteorshower.lab.cluster.ClusterOptions;

/**
 * One node, with passwords and permissions, for all test classes that need no more: started for the first one, closed
 * after the last.
 */
final class OneNode implements BeforeAllCallback {
    static final String DC = "eu";

    private static volatile TestCluster cluster;

    static TestCluster cluster() {
        return cluster;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .getOrComputeIfAbsent(OneNode.class, key -> start(), AutoCloseable.class);
    }

    private static AutoCloseable start() {
        try {
            Path folder = Files.createTempDirectory("meteorshower");
            TestCluster started = TestCluster.start("OneNode", folder, options());
            cluster = started;
            // The first role is made by the node itself, a while after it has begun to answer.
            Waiting.until(TestCluster.START_LIMIT, () -> started.cql(DC));
            started.createKeyspace();
            return () -> {
                started.close();
                Files.delete(folder);
            };
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the node starts", e);
        }
    }

    private static ClusterOptions.Builder options() {
        return ClusterOptions.builder()
                .dcs(List.of(DC))
                .cassandraOptions(Map.of(
                        "authenticator", "PasswordAuthenticator",
                        "authorizer", "CassandraAuthorizer",
                        "roles_validity", "0ms",
                        "permissions_validity", "0ms",
                        "credentials_validity", "0ms"))
                .jvmOptions(List.of("-Dcassandra.superuser_setup_delay_ms=0"));
    }
}
