/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class InstallationTest {
    @TempDir
    private Path home;

    @Test
    void nodesRunTheCassandraThatThePluginIsBuiltFor() throws Exception {
        Path project = Installation.locate().home();
        assertThat(cassandraVersion(project.resolve("lab/cassandra-node/pom.xml")))
                .isEqualTo(cassandraVersion(project.resolve("pom.xml")));
    }

    @Test
    void whatIsNotBuiltSaysHowToBuildIt() {
        assertThatThrownBy(() -> new Installation(home).nodeJars()).hasMessageContaining("mvn -DskipTests package");
        assertThatThrownBy(() -> new Installation(home).pluginJar()).hasMessageContaining("--no-plugin");
    }

    @Test
    void aJarThatIsGoneIsNamed() throws Exception {
        Path file = home.resolve("lab/cassandra-node/target/node.classpath");
        Files.createDirectories(file.getParent());
        Files.writeString(file, home.resolve("gone.jar").toString());
        assertThatThrownBy(() -> new Installation(home).nodeJars()).hasMessageContaining("gone.jar");
    }

    @Test
    void aPluginWithoutAnAgentIsRefused() throws Exception {
        Path jar = plugin("meteorshower-cassandra-5.0-0.1.jar", false);
        assertThatThrownBy(() -> new Installation(home).pluginJar())
                .hasMessageContaining(jar.toString())
                .hasMessageContaining("Premain-Class");
    }

    @Test
    void sourcesAndTestsAreNotThePlugin() throws Exception {
        Path jar = plugin("meteorshower-cassandra-5.0-0.1.jar", true);
        plugin("meteorshower-cassandra-5.0-0.1-sources.jar", false);
        plugin("meteorshower-cassandra-5.0-0.1-tests.jar", false);
        assertThat(new Installation(home).pluginJar()).isEqualTo(jar);
    }

    private Path plugin(String name, boolean agent) throws Exception {
        Path jar = home.resolve("cassandra-patch/target").resolve(name);
        Files.createDirectories(jar.getParent());
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (agent) {
            manifest.getMainAttributes().putValue("Premain-Class", "x.Agent");
        }
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream written = new JarOutputStream(file, manifest)) {
            written.finish();
        }
        return jar;
    }

    private static String cassandraVersion(Path pom) throws Exception {
        Matcher matcher = Pattern.compile("<cassandra\\.version>(.*?)<").matcher(Files.readString(pom));
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }
}
