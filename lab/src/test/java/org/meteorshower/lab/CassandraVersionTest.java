/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Modules without a parent cannot take Cassandra's version from it. */
class CassandraVersionTest {
    private static final Pattern VERSION = Pattern.compile("<cassandra.version>(.*)</cassandra.version>");

    @ParameterizedTest
    @ValueSource(strings = {"lab/cassandra-node/pom.xml", "docker/node/pom.xml"})
    void nodesRunTheReleaseThatThePluginIsBuiltFor(String pom) throws IOException {
        assertThat(version(pom)).isEqualTo(version("pom.xml"));
    }

    private static String version(String pom) throws IOException {
        // Tests run in the module's folder.
        Matcher matcher = VERSION.matcher(Files.readString(Path.of("..").resolve(pom)));
        assertThat(matcher.find()).isTrue();
        return matcher.group(1);
    }
}
