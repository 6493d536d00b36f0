/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A module of the build that has classes has an {@code ArchitectureTest}. */
class EveryModuleTest {
    private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");

    private static List<String> modules(Path project) throws IOException {
        return MODULE.matcher(Files.readString(project.resolve("pom.xml")))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private static List<String> modulesWithoutRules(Path project) throws IOException {
        List<String> without = new ArrayList<>();
        for (String module : modules(project)) {
            Path source = project.resolve(module).resolve("src");
            if (Files.isDirectory(source.resolve("main/java")) && !hasRules(source.resolve("test/java"))) {
                without.add(module);
            }
        }
        return without;
    }

    private static boolean hasRules(Path tests) throws IOException {
        if (!Files.isDirectory(tests)) {
            return false;
        }
        try (Stream<Path> files = Files.walk(tests)) {
            return files.anyMatch(file -> file.endsWith("ArchitectureTest.java"));
        }
    }

    @Test
    void everyModuleIsHeldToRules() throws IOException {
        Path project = Path.of("..", "..");

        assertThat(modules(project)).contains("middleware", "transactions/simulator", "cassandra-patch", "lab");
        assertThat(modulesWithoutRules(project)).isEmpty();
    }

    /** In such a JVM as these tests need: see "The gate" in docs/HACKING.md. */
    @Test
    void testsOfThreadsRunWhereRacesShow() throws IOException {
        Path project = Path.of("..", "..");
        List<Path> found = new ArrayList<>();
        for (String module : modules(project)) {
            Path tests = project.resolve(module).resolve("src/test/java");
            if (Files.isDirectory(tests)) {
                try (Stream<Path> files = Files.walk(tests)) {
                    files.filter(file -> file.toString().endsWith("ThreadsTest.java"))
                            .forEach(found::add);
                }
            }
            for (Path test :
                    found.stream().filter(file -> file.startsWith(tests)).toList()) {
                assertThat(test).content().contains("@Tag(\"threads\")");
                assertThat(project.resolve(module).resolve("pom.xml")).content().contains("<groups>threads</groups>");
            }
        }
        assertThat(found).hasSizeGreaterThan(5);
    }

    @Test
    void aModuleWithoutThemIsFound(@TempDir Path project) throws IOException {
        Files.writeString(
                project.resolve("pom.xml"), "<module>classless</module>\n<module>a</module>\n<module>b/c</module>\n");
        Files.createDirectories(project.resolve("a/src/main/java"));
        Files.createDirectories(project.resolve("b/c/src/main/java"));
        Files.createFile(
                Files.createDirectories(project.resolve("a/src/test/java/org")).resolve("ArchitectureTest.java"));

        assertThat(modulesWithoutRules(project)).containsExactly("b/c");
    }
}
