/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.opinion;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.meteorshower.checker.transactions.IsolationModel;

/** Elle, which checks transactions. It is asked by a script of ours, in Clojure. */
final class Elle implements AutoCloseable {
    private static final String SCRIPT = "elle.clj";

    private final Judge judge;

    private Elle(Judge judge) {
        this.judge = judge;
    }

    /**
     * Starts it.
     *
     * @param cache its folder is made in this one
     * @param classpath of Clojure, Elle and what they need; null where it is not known
     * @throws MissingJudgeException where that is not there
     */
    static Elle start(Path cache, @Nullable String classpath) throws IOException, MissingJudgeException {
        if (classpath == null || classpath.isBlank()) {
            throw new MissingJudgeException(
                    "Elle: no class path was given. Give --elle, or set METEOR_ELLE, to the class"
                            + " path of Clojure and Elle (Clojars: elle 0.2 or newer,"
                            + " and spootnik/unilog, which Elle needs and does not name), as clojure -Spath tells it");
        }
        Stream.of(classpath.split(File.pathSeparator))
                .filter(entry -> !entry.endsWith("*") && !Files.exists(Path.of(entry)))
                .findFirst()
                .ifPresent(entry -> {
                    throw new IllegalArgumentException("--elle: there is no " + entry);
                });
        Path folder = Files.createDirectories(cache.resolve("elle"));
        try (InputStream in = Elle.class.getResourceAsStream(SCRIPT)) {
            Files.copy(Objects.requireNonNull(in, SCRIPT), folder.resolve(SCRIPT), StandardCopyOption.REPLACE_EXISTING);
        }
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx2g",
                "-Djava.awt.headless=true",
                "-cp",
                classpath,
                "clojure.main",
                folder.resolve(SCRIPT).toString());
        return new Elle(new Judge(command, folder.resolve("elle.log")));
    }

    /** What it says of a history in a file that {@link ElleHistory} wrote. */
    Answer judge(Path file, IsolationModel model) throws IOException {
        return judge.ask(model.word() + "\t" + file);
    }

    @Override
    public void close() {
        judge.close();
    }
}
