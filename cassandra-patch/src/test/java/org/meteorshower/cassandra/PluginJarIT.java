/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The packaged jar holds the product, the whole of it, and nothing that tries, judges or tests it. */
final class PluginJarIT {
    private static final List<Path> SOURCES = Stream.of(".", "../middleware", "../transactions")
            .map(module -> Path.of(module, "src", "main", "java"))
            .toList();

    /** Set by the build. */
    private static final PluginJar BUILT = new PluginJar(Path.of(System.getProperty("plugin.jar")), SOURCES);

    @TempDir
    private Path folder;

    @Test
    void nothingOfTheLaboratoryOrOfOthersIsInIt() throws IOException {
        assertThat(BUILT.strangers()).isEmpty();
    }

    @Test
    void theWholeProductIsInIt() throws IOException {
        assertThat(BUILT.missing()).isEmpty();
    }

    @Test
    void itNeedsNothingOfOursThatIsNotInIt() throws IOException {
        assertThat(BUILT.needed()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org/meteorshower/simulator/Bug.class",
                "org/meteorshower/simulator/SimulationPlan$Workload.class",
                "org/meteorshower/smallscope/Search.class",
                "org/meteorshower/transactions/simulator/World.class",
                "org/meteorshower/checker/SequentialChecker.class",
                "org/meteorshower/checker/transactions/IsolationChecker.class",
                "org/meteorshower/lab/simulate/Mutant.class",
                "org/meteorshower/fuzzing/Fuzz.class",
                "org/meteorshower/protocol/ScriptedCluster.class",
                "org/meteorshower/cassandra/PluginJarIT.class",
                "io/netty/channel/Channel.class",
                "META-INF/services/org.junit.platform.engine.TestEngine",
            })
    void aStrangerIsFound(String stranger) throws IOException {
        assertThat(jarWith(stranger, SOURCES).strangers()).containsExactly(stranger);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "org/meteorshower/simulator/Trace",
                "org/meteorshower/transactions/simulator/World",
                "org/meteorshower/checker/SequentialChecker",
                "org/meteorshower/protocol/ProtocolMutants",
                "org/meteorshower/protocol/SearchTest",
            })
    void partsOfTheLaboratoryAreFoundAmongTheProductsSourcesToo(String name) throws IOException {
        Path source = folder.resolve("src").resolve(name + ".java");
        Files.createDirectories(source.getParent());
        Files.createFile(source);
        List<Path> sources = Stream.concat(SOURCES.stream(), Stream.of(folder.resolve("src")))
                .toList();

        assertThat(jarWith(name + ".class", sources).strangers()).containsExactly(name + ".class");
    }

    @Test
    void aClassThatIsNotInItIsFound() throws IOException {
        PluginJar without = builtWithout("org/meteorshower/protocol/SequentialReads.class");

        assertThat(without.missing()).containsExactly("org/meteorshower/protocol/SequentialReads.class");
        assertThat(without.needed()).containsExactly("org.meteorshower.protocol.SequentialReads");
    }

    private PluginJar jarWith(String stranger, List<Path> sources) throws IOException {
        Path jar = folder.resolve("small.jar");
        try (JarOutputStream to = new JarOutputStream(Files.newOutputStream(jar))) {
            for (String entry : List.of(JarFile.MANIFEST_NAME, "org/meteorshower/protocol/Now.class", stranger)) {
                to.putNextEntry(new JarEntry(entry));
            }
        }
        return new PluginJar(jar, sources);
    }

    private PluginJar builtWithout(String left) throws IOException {
        Path jar = folder.resolve("less.jar");
        try (JarFile from = new JarFile(BUILT.file().toFile());
                JarOutputStream to = new JarOutputStream(Files.newOutputStream(jar))) {
            for (JarEntry entry : from.stream().toList()) {
                if (!entry.getName().equals(left)) {
                    to.putNextEntry(new JarEntry(entry.getName()));
                    try (InputStream content = from.getInputStream(entry)) {
                        content.transferTo(to);
                    }
                }
            }
        }
        return new PluginJar(jar, SOURCES);
    }
}
