/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.cassandra;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/**
 * The plugin as it is built, held against the sources that it is to be built from.
 *
 * @param sources the product's source folders
 */
record PluginJar(Path file, List<Path> sources) {
    /** What tries the product or judges it, wherever its source is. */
    private static final Pattern LABORATORY =
            Pattern.compile("org/meteorshower/(.*/)?(simulator|smallscope|checker|lab|fuzzing|architecture)/.*"
                    + "|.*/[^/]*(Mutant|Simulat)[^/]*|.*/[^/]*(Test|IT)");

    /** Entries that are neither the manifest nor a class of the product. */
    List<String> strangers() throws IOException {
        return entries().stream()
                .filter(name -> !name.equals(JarFile.MANIFEST_NAME) && !isOfTheProduct(name))
                .toList();
    }

    /** Classes of the product's sources that are not in the jar. */
    List<String> missing() throws IOException {
        List<String> entries = entries();
        TreeSet<String> missing = new TreeSet<>();
        for (Path folder : sources) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.map(file -> folder.relativize(file).toString().replace('\\', '/'))
                        .filter(name -> name.endsWith(".java") && !name.endsWith("package-info.java"))
                        .map(name -> name.replaceFirst("java$", "class"))
                        .filter(name -> !entries.contains(name))
                        .forEach(missing::add);
            }
        }
        return List.copyOf(missing);
    }

    /** Classes of ours that a class of the jar needs, and that are not in the jar. */
    List<String> needed() throws IOException {
        TreeSet<String> needed = new TreeSet<>();
        List<String> entries = entries();
        try (JarFile jar = new JarFile(file.toFile())) {
            for (JavaClass type : new ClassFileImporter().importJar(jar)) {
                type.getDirectDependenciesFromSelf().stream()
                        .map(use -> use.getTargetClass().getBaseComponentType().getName())
                        .filter(name -> name.startsWith("org.meteorshower.")
                                && !entries.contains(name.replace('.', '/') + ".class"))
                        .forEach(needed::add);
            }
        }
        return List.copyOf(needed);
    }

    private List<String> entries() throws IOException {
        try (JarFile jar = new JarFile(file.toFile())) {
            return jar.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(ZipEntry::getName)
                    .toList();
        }
    }

    private boolean isOfTheProduct(String entry) {
        String outermost = entry.replaceFirst("(\\$.*)?\\.class$", "");
        return entry.endsWith(".class")
                && !LABORATORY.matcher(outermost).matches()
                && sources.stream().anyMatch(folder -> Files.isRegularFile(folder.resolve(outermost + ".java")));
    }
}
