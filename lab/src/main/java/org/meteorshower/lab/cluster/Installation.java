/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/**
 * Where the build left what a cluster is made of. Immutable; file contents are looked up at each call, so a rebuild is
 * seen.
 *
 * @param home the top folder of the project, the one with the {@code meteor} launcher
 */
public record Installation(Path home) {
    private static final String NODE_FOLDER = "lab/cassandra-node/target";

    /** Names another release of Cassandra than the one that is built against; lab/compatibility prepares it. */
    private static final String RELEASE = "meteor.cassandra.version";

    private static final String PLUGIN_FOLDER = "cassandra-patch/target";

    /**
     * The installation this process belongs to: the folder in the system property {@code meteor.home}, which the
     * launcher sets, or else the nearest folder above the working directory that holds the launcher.
     */
    public static Installation locate() {
        String told = System.getProperty("meteor.home");
        if (told != null) {
            return new Installation(Path.of(told).toAbsolutePath().normalize());
        }
        Path start = Path.of("").toAbsolutePath();
        for (@Nullable Path p = start; p != null; p = p.getParent()) {
            if (Files.isRegularFile(p.resolve("meteor")) && Files.isDirectory(p.resolve("lab"))) {
                return new Installation(p);
            }
        }
        throw new ClusterException("no MeteorShower project at or above " + start
                + ": run the meteor launcher, or pass -Dmeteor.home=FOLDER");
    }

    /** What is kept between runs: the default place of clusters, and caches. Never outside the project. */
    public Path workFolder() {
        return home.resolve(".meteor");
    }

    /**
     * The jars of a Cassandra node, in class path order. Throws {@link ClusterException} where the build is missing.
     */
    public List<Path> nodeJars() {
        String release = System.getProperty(RELEASE);
        Path file = home.resolve(NODE_FOLDER)
                .resolve(release == null ? "node.classpath" : "node-" + release + ".classpath");
        String classpath;
        try {
            classpath = Files.readString(file).strip();
        } catch (IOException e) {
            throw new ClusterException(
                    "the class path of a Cassandra node is not built (" + file + "): run "
                            + (release == null ? "mvn -DskipTests package" : "lab/compatibility " + release),
                    e);
        }
        List<Path> jars =
                Arrays.stream(classpath.split(File.pathSeparator)).map(Path::of).toList();
        for (Path jar : jars) {
            if (!Files.isRegularFile(jar)) {
                throw new ClusterException("a jar of the Cassandra node is gone: " + jar
                        + "\nWas the Maven repository emptied? Build again: mvn -DskipTests package");
            }
        }
        return jars;
    }

    /** The one jar of the plugin. Throws {@link ClusterException} where it is missing or holds no agent. */
    public Path pluginJar() {
        Path folder = home.resolve(PLUGIN_FOLDER);
        Path jar = newestPlugin(folder)
                .orElseThrow(
                        () -> new ClusterException("the plugin is not built: no meteorshower-cassandra-5.0-*.jar in "
                                + folder + "\nRun mvn -DskipTests package, or start plain Cassandra with --no-plugin"));
        try (JarFile opened = new JarFile(jar.toFile())) {
            var manifest = opened.getManifest();
            if (manifest == null || manifest.getMainAttributes().getValue("Premain-Class") == null) {
                throw new ClusterException(jar + " is no Java agent (its manifest has no Premain-Class)."
                        + "\nBuild again: mvn -DskipTests package, or start plain Cassandra with --no-plugin");
            }
        } catch (IOException e) {
            throw new ClusterException("cannot read the plugin " + jar + ": " + e.getMessage(), e);
        }
        return jar;
    }

    private static Optional<Path> newestPlugin(Path folder) {
        Path newest = null;
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "meteorshower-cassandra-5.0-*.jar")) {
            for (Path jar : jars) {
                String name = jar.getFileName().toString();
                boolean byProduct = name.matches(".*-(sources|javadoc|tests|original)\\.jar");
                if (!byProduct && (newest == null || lastModified(jar) > lastModified(newest))) {
                    newest = jar;
                }
            }
        } catch (IOException e) {
            throw new ClusterException("cannot list " + folder + ": " + e.getMessage(), e);
        }
        return Optional.ofNullable(newest);
    }

    private static long lastModified(Path file) throws IOException {
        return Files.getLastModifiedTime(file).toMillis();
    }
}
