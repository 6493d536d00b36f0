/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.rivals;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.meteorshower.lab.cluster.ClusterException;
import org.meteorshower.lab.cluster.Installation;
import org.meteorshower.lab.cluster.NodeSpec;
import org.meteorshower.lab.cluster.Progress;

/**
 * A client of ScalarDB's in a process of its own, in one data centre; a line is a request, or an answer. It ends with
 * this process, since its input does. Thread-safe.
 */
public final class ScalarDbProcess implements AutoCloseable {
    private static final String MAIN = "org.meteorshower.rivals.scalardb.ScalarDbClient";
    private static final int THREADS = 64;
    private static final long READY_SECONDS = 120;
    private static final long END_SECONDS = 5;

    /** Starts such processes. */
    @FunctionalInterface
    public interface Starter {
        /** Throws {@link ClusterException} where it does not start. */
        ScalarDbProcess start(NodeSpec node);
    }

    private final Process process;
    private final BufferedWriter in;
    private final BlockingQueue<String> ready = new ArrayBlockingQueue<>(16);
    private final Map<String, CompletableFuture<String[]>> waiting = new ConcurrentHashMap<>();
    private volatile @Nullable String ended;

    private ScalarDbProcess(Process process) {
        this.process = process;
        in = new BufferedWriter(new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
        Thread reader = new Thread(this::read, "scalardb-answers");
        reader.setDaemon(true);
        reader.start();
    }

    /** Fetches ScalarDB where it was not yet; the log of each process goes to the folder. */
    public static Starter starter(Installation installation, Path logs, Progress progress) {
        RivalBuild build = RivalBuild.of(installation, "scalardb", "client.classpath", "ScalarDB 3.19.1");
        List<Path> jars =
                RivalBuild.with(List.of(build.folder().resolve("target/scalardb-client.jar")), build.jars(progress));
        String classpath = jars.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
        return node -> {
            ScalarDbProcess started = launch(classpath, node, logs);
            try {
                started.awaitReady("ScalarDB did not start");
            } catch (ClusterException e) {
                started.close();
                throw e;
            }
            return started;
        };
    }

    private static ScalarDbProcess launch(String classpath, NodeSpec node, Path logs) {
        try {
            return new ScalarDbProcess(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            "-Xss512k",
                            "-XX:+UseSerialGC",
                            "-cp",
                            classpath,
                            MAIN,
                            node.address(),
                            Integer.toString(NodeSpec.CQL_PORT),
                            Integer.toString(THREADS))
                    .redirectError(
                            logs.resolve("scalardb-" + node.dc() + ".log").toFile())
                    .start());
        } catch (IOException e) {
            throw new ClusterException("ScalarDB's client cannot be started: " + e.getMessage(), e);
        }
    }

    /** Makes the table, and what ScalarDB needs of its own. */
    public void create(String table) {
        write("create " + table);
        awaitReady("ScalarDB did not make its tables");
    }

    /**
     * Asks without waiting.
     *
     * @param id unlike that of any other request under way
     * @return the words of the answer, the id first; fails with ClusterException where the process has ended
     */
    public CompletableFuture<String[]> ask(String id, String request) {
        CompletableFuture<String[]> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        String why = ended;
        if (why != null) {
            waiting.remove(id);
            return CompletableFuture.failedFuture(new ClusterException(why));
        }
        try {
            write(id + " " + request);
        } catch (ClusterException e) {
            waiting.remove(id);
            answer.completeExceptionally(e);
        }
        return answer;
    }

    private void write(String line) {
        synchronized (in) {
            try {
                in.write(line);
                in.newLine();
                in.flush();
            } catch (IOException e) {
                throw new ClusterException("ScalarDB's client takes no requests: " + e.getMessage(), e);
            }
        }
    }

    private void awaitReady(String otherwise) {
        try {
            if (ready.poll(READY_SECONDS, TimeUnit.SECONDS) == null || ended != null) {
                throw new ClusterException(otherwise + " within " + READY_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("interrupted while ScalarDB was awaited", e);
        }
    }

    private void read() {
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                String[] words = line.split(" ", -1);
                CompletableFuture<String[]> asked = waiting.remove(words[0]);
                if (asked != null) {
                    asked.complete(words);
                } else if (line.equals("ready")) {
                    ready.add(line);
                }
            }
        } catch (IOException e) {
            // As at the end.
        }
        ended = "ScalarDB's client has ended";
        ready.offer(ended);
        waiting.values().forEach(each -> each.completeExceptionally(new ClusterException(String.valueOf(ended))));
        waiting.clear();
    }

    @Override
    public void close() {
        try {
            in.close();
            if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
