/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LineMap;
import com.sun.source.tree.MethodTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What users run is read in small pieces: no long file, no long method, but for those named here, with the reason. */
class SizesTest {
    private static final int MOST_LINES_OF_A_FILE = 400;
    private static final int MOST_LINES_OF_A_METHOD = 40;

    private static final List<String> PRODUCT =
            List.of("middleware", "transactions", "cassandra-patch", "client", "checker", "ycsb-binding");

    private static final Map<String, String> LONG_FILES = Map.of(
            "protocol/Event.java", "one record a kind, with what it means: a list",
            "protocol/Effect.java", "one record a kind, with what it means: a list",
            "transactions/port/Message.java", "one record a kind, with what it means: a list",
            "protocol/MessageReceiver.java", "one state machine, that of a stream that comes in");

    private static final Map<String, String> LONG_METHODS = Map.of(
            "transactions/Parts.java <init>", "ties the parts together, each in a statement, without a branch",
            "protocol/Parts.java <init>", "the same",
            "checker/transactions/CycleFinder.java components", "Tarjan's algorithm");

    @Test
    void noFileOfTheProductIsLong() throws IOException {
        Map<String, Integer> tooLong = new TreeMap<>();
        for (Path file : sources()) {
            try (Stream<String> lines = Files.lines(file)) {
                int count = (int) lines.count();
                if (count > MOST_LINES_OF_A_FILE) {
                    tooLong.put(name(file), count);
                }
            }
        }

        assertThat(tooLong.keySet()).containsExactlyInAnyOrderElementsOf(LONG_FILES.keySet());
    }

    @Test
    void noMethodOfTheProductIsLong() throws IOException {
        assertThat(longMethods(sources()).keySet()).containsExactlyInAnyOrderElementsOf(LONG_METHODS.keySet());
    }

    @Test
    void aLongMethodIsFound(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("a").resolve("Long.java");
        Files.createDirectories(file.getParent());
        Files.writeString(
                file,
                "class Long { void brief() {} void lengthy() {" + "\n int i = 0;".repeat(MOST_LINES_OF_A_METHOD)
                        + "} }");

        assertThat(longMethods(List.of(file)).keySet()).containsExactly("a/Long.java lengthy");
    }

    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : PRODUCT) {
            try (Stream<Path> files = Files.walk(Path.of("..", "..", module, "src", "main", "java"))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }

    /** By its last folders, without those that all have. */
    private static String name(Path file) {
        String path = file.toString().replace('\\', '/');
        int root = path.indexOf("org/meteorshower/");
        int count = file.getNameCount();
        return root < 0
                ? file.subpath(count - 2, count).toString().replace('\\', '/')
                : path.substring(root + "org/meteorshower/".length());
    }

    private static Map<String, Long> longMethods(List<Path> files) throws IOException {
        Map<String, Long> found = new TreeMap<>();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            SourcePositions positions = Trees.instance(task).getSourcePositions();
            for (CompilationUnitTree unit : task.parse()) {
                new Methods(unit, positions, found).scan(unit, null);
            }
        }
        return found;
    }

    /** Notes methods that are too long, from name to last brace. */
    private static final class Methods extends TreePathScanner<Void, Void> {
        private final CompilationUnitTree unit;
        private final SourcePositions positions;
        private final Map<String, Long> found;

        Methods(CompilationUnitTree unit, SourcePositions positions, Map<String, Long> found) {
            this.unit = unit;
            this.positions = positions;
            this.found = found;
        }

        @Override
        public Void visitMethod(MethodTree method, Void unused) {
            LineMap lines = unit.getLineMap();
            long from = lines.getLineNumber(positions.getStartPosition(unit, method));
            long to = lines.getLineNumber(positions.getEndPosition(unit, method));
            if (to - from + 1 > MOST_LINES_OF_A_METHOD) {
                found.put(name(Path.of(unit.getSourceFile().toUri())) + " " + method.getName(), to - from + 1);
            }
            return super.visitMethod(method, null);
        }
    }
}
