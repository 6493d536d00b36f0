/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.power;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.meteorshower.lab.console.LineProcess;

/**
 * Disks that forget what was not forced, each a folder of a file system of ours. It is there for root alone, and ends
 * with this object or this process, whichever is first. Thread-safe.
 */
public final class PowerDisks implements AutoCloseable {
    private static final Path DEVICE = Path.of("/dev/fuse");
    private static final List<String> TOOLS = List.of("bash", "mount", "setsid", "umount");
    private static final String MEMORY = "-Xmx3g";

    private final Path folder;
    private final LineProcess process;

    /**
     * What such a disk is like.
     *
     * @param strict whether a name is safe only when its folder was forced, as POSIX has it; else as with ext4
     * @param liars the names of folders; forcing what lies in one does nothing, though it says so
     */
    public record Kind(boolean strict, Collection<String> liars) {
        public Kind {
            liars = List.copyOf(liars);
        }
    }

    /** What went with the power: pages of files, and changes of folders and lengths. */
    public record Loss(long pages, long changes) {}

    private PowerDisks(Path folder, LineProcess process) {
        this.folder = folder;
        this.process = process;
    }

    /** Why there can be none here; empty where there can. */
    public static Optional<String> obstacle() {
        if (!"root".equals(System.getProperty("user.name"))) {
            return Optional.of("disks that forget are a file system of our own, and only root may mount one");
        } else if (!Files.isWritable(DEVICE)) {
            return Optional.of("disks that forget need the kernel's FUSE, and there is no " + DEVICE + " to write to");
        }
        return TOOLS.stream()
                .filter(tool ->
                        !Files.isExecutable(Path.of("/usr/bin", tool)) && !Files.isExecutable(Path.of("/bin", tool)))
                .findFirst()
                .map(tool -> "disks that forget are mounted by " + tool + ", which is not on this machine");
    }

    /**
     * Mounts them, and makes the disks.
     *
     * @param folder where; it is made where it is missing
     * @throws IOException where that cannot be done
     */
    public static PowerDisks mount(Path folder, Kind kind, List<String> names) throws IOException {
        Optional<String> obstacle = obstacle();
        if (obstacle.isPresent()) {
            throw new IOException(obstacle.get());
        }
        unmountLeft(folder);
        Files.createDirectories(folder);
        List<String> command = new ArrayList<>(List.of(
                "bash",
                "-c",
                // A session of its own: Ctrl-C is for the others; it ends when they have, and its orders with them.
                "exec 3<&0 0<>/dev/fuse; exec setsid \"$@\"",
                "disks",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                MEMORY,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                DiskProcess.class.getName(),
                folder.toString(),
                (kind.strict() ? Disks.Metadata.STRICT : Disks.Metadata.ORDERED).name()));
        command.addAll(kind.liars());
        PowerDisks disks = new PowerDisks(
                folder, new LineProcess(new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT)));
        try {
            disks.answer();
            for (String name : names) {
                Files.createDirectory(folder.resolve(name));
            }
            return disks;
        } catch (IOException | RuntimeException e) {
            disks.close();
            throw e;
        }
    }

    /** What a run has left here that was killed itself. */
    private static void unmountLeft(Path folder) throws IOException {
        try {
            new ProcessBuilder("umount", "-l", folder.toString())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while unmounting " + folder);
        }
    }

    /** Where a disk is. */
    public Path folder(String name) {
        return folder.resolve(name);
    }

    /**
     * The power of these disks is gone, all at one moment. Whoever forces something now waits until {@link #killed}: so
     * nobody acknowledges what they could not have.
     */
    public synchronized void off(Collection<String> names) throws IOException {
        order("off " + String.join(" ", names));
    }

    /** The processes that use them were killed, and may end: the kernel has them wait for our answer. */
    public synchronized void killed(Collection<String> names) throws IOException {
        order("killed " + String.join(" ", names));
    }

    /**
     * The power is back, and the processes have ended: what was not forced is lost.
     *
     * @param share of what was not forced, how much had reached the disk all the same
     * @param seed decides what of it
     */
    public synchronized Loss on(String name, double share, long seed) throws IOException {
        String[] words = order(String.format(Locale.ROOT, "on %s %s %d", name, share, seed))
                .split(" ");
        return new Loss(Long.parseLong(words[0]), Long.parseLong(words[1]));
    }

    private String order(String line) throws IOException {
        process.tell(line);
        return answer();
    }

    private String answer() throws IOException {
        String line;
        try {
            line = process.answer();
        } catch (IOException e) {
            throw new IOException("the disks that forget do not work: " + e.getMessage(), e);
        }
        if (line.startsWith("failed")) {
            throw new IOException("the disks that forget do not work: " + line);
        }
        return line;
    }

    @Override
    public void close() {
        process.close();
        try {
            Files.deleteIfExists(folder);
        } catch (IOException e) {
            // Somebody still has it open: it goes when they do.
        }
    }
}
