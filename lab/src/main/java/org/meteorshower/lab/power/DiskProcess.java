/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The process that the disks live in. Its standard input is the kernel's end of the file system; what it is told comes
 * by file 3, a line each, and is answered by a line on standard output. When whoever started it is gone, it unmounts
 * and ends.
 */
final class DiskProcess {
    private static final int THREADS = 3;

    private final String folder;
    private final FuseServer server;

    private DiskProcess(String folder, Disks disks) {
        this.folder = folder;
        server = new FuseServer(disks);
    }

    /** Where to mount it, how much is forced with a file, and the names of the folders that lie. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        Set<String> liars = new HashSet<>(Arrays.asList(arguments).subList(2, arguments.length));
        DiskProcess process = new DiskProcess(arguments[0], new Disks(Disks.Metadata.valueOf(arguments[1]), liars));
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(process::serve, "disks-" + i);
            thread.setDaemon(true);
            thread.start();
        }
        // However it ends, if not by SIGKILL: else the folder would be of no use to anybody.
        Runtime.getRuntime().addShutdownHook(new Thread(process::unmount, "unmount"));
        process.obey(System.out);
        System.exit(0);
    }

    private void unmount() {
        try {
            run("umount", "-l", folder);
        } catch (IOException e) {
            System.err.println("cannot unmount " + folder + ": " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve() {
        try {
            server.serve();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void obey(PrintStream answers) throws IOException, InterruptedException {
        int failed = run(
                "mount",
                "-i",
                "-t",
                "fuse",
                "-o",
                "fd=0,rootmode=40000,user_id=0,group_id=0",
                "meteorshower-power",
                folder);
        answers.println(failed == 0 ? "mounted" : "failed: mount ended with " + failed);
        try (BufferedReader lines = new BufferedReader(
                new InputStreamReader(new FileInputStream("/proc/self/fd/3"), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null && !line.equals("end"); line = lines.readLine()) {
                answers.println(obey(Arrays.asList(line.split(" "))));
            }
        }
    }

    private String obey(List<String> words) {
        try {
            List<String> names = words.subList(1, words.size());
            switch (words.get(0)) {
                case "off" -> server.off(names);
                case "killed" -> server.killed(names);
                default -> {
                    return on(words);
                }
            }
            return words.get(0);
        } catch (Refused | RuntimeException e) {
            return "failed: " + e;
        }
    }

    private String on(List<String> words) throws Refused {
        Disks.Loss loss =
                server.on(words.get(1), Double.parseDouble(words.get(2)), new Random(Long.parseLong(words.get(3))));
        return loss.pages() + " " + loss.changes();
    }

    /** A command with the same standard input; returns its exit code. */
    private int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectInput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }
}
